/**
 * The client against a real `gieok serve`, of which a test of the repository tells the
 * address and the people: `pytest tests/integration/surfaces/js`.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AuthenticationError,
  ConflictError,
  Gieok,
  InvalidInputError,
  NotFoundError,
  NotPermittedError,
  UnavailableError,
  createTutor,
} from "../src/index.js";
import { sleep } from "../src/retry.js";
import { CALL, MemoryStorage, startLine } from "./support.js";

/** @typedef {{ url: string, key: string, expired: string, people: Record<string, string> }} Served */

/** @type {Served | undefined} */
const served = process.env.GIEOK_SERVED ? JSON.parse(process.env.GIEOK_SERVED) : undefined;
const skip = served === undefined && "GIEOK_SERVED names no server";
const url = served?.url ?? "";
const free = Object.entries(served?.people ?? {});

/** Somebody whom no other test has met. */
function meetPerson() {
  const [name = "", token = ""] = free.pop() ?? [];
  assert.ok(token, "there are too few people");
  return { name, token, memory: new Gieok({ url, token }) };
}

test("a conversation is recorded, read into memory, recalled and told to a prompt", { skip }, async () => {
  const { memory } = meetPerson();
  const session = await memory.sessions.start({ language: "ko" });
  const turn = { user_text: "저는 강남구에 살아요", assistant_text: "그렇군요!" };
  const pair = await memory.sessions.record(session.id, turn);
  assert.equal(pair.turn_index, 0);
  await memory.sessions.append(session.id, { role: "user", content: "매운 음식을 좋아해요" });
  const closed = await memory.sessions.close(session.id);
  assert.equal(closed.status, "completed");
  while ((await memory.sessions.reading(session.id)).state === "pending") await sleep(200);
  const { memories } = await memory.memories.list();
  assert.ok(memories.some(({ content }) => content.includes("강남구")));
  const { hits } = await memory.recall("어디에 살아?", { limit: 3 });
  assert.ok(hits[0]?.content.includes("강남구"));
  const block = await memory.context("우리 동네 맛집 추천해줘", { language: "ko" });
  assert.ok(block.text.includes("강남구"));
  const { messages } = await memory.sessions.get(session.id);
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["저는 강남구에 살아요", "그렇군요!", "매운 음식을 좋아해요"],
  );
  assert.equal((await memory.sessions.list({ limit: 1 })).total, 1);
  await memory.sessions.delete(session.id);
  await assert.rejects(memory.sessions.get(session.id), NotFoundError);
});

test("memories are made, read, taken out of use and erased", { skip }, async () => {
  const { memory } = meetPerson();
  const { id } = await memory.memories.remember("I live in Queens", { category: "location" });
  const detail = await memory.memories.get(id);
  assert.equal(detail.content, "I live in Queens");
  assert.equal(detail.source.type, "explicit");
  await memory.memories.deactivate(id);
  assert.equal((await memory.memories.list()).total, 0);
  await memory.memories.reactivate(id);
  await memory.memories.forget(id);
  await assert.rejects(memory.memories.get(id), NotFoundError);
  const { receipts } = await memory.call("GET /api/v1/users/me/erasure-receipts");
  assert.equal(receipts.length, 1);
  await memory.memories.remember("I live in Queens", { category: "location" });
  assert.deepEqual((await memory.memories.forgetAbout("forget that I live in Queens")).forgotten.length, 1);
  assert.deepEqual((await memory.candidates.list()).candidates, []);
});

test("a memory is corrected: another one says what is true now", { skip }, async () => {
  const { memory } = meetPerson();
  const { id } = await memory.memories.remember("I live in Queens", { category: "location" });
  const corrected = await memory.memories.correct(id, "I live in Brooklyn");
  assert.deepEqual([corrected.content, corrected.category], ["I live in Brooklyn", "location"]);
  assert.equal((await memory.memories.get(id)).superseded_by, corrected.id);
});

test("a query takes lists: the memories that an answer rests on", { skip }, async () => {
  const { memory } = meetPerson();
  const remember = (/** @type {string} */ fact) => memory.memories.remember(fact, { category: "location" });
  const ids = [(await remember("I live in Queens")).id, (await remember("I work in Brooklyn")).id];
  const { sources } = await memory.call("GET /api/v1/users/me/memories/sources", { query: { memory_id: ids } });
  assert.deepEqual(
    sources.map(({ id }) => id),
    ids,
  );
});

test("settings, consents, the card and the person are read and changed", { skip }, async () => {
  const { memory } = meetPerson();
  const { max_memories: before } = await memory.settings.get();
  const changed = await memory.settings.update({ auto_extraction: false });
  assert.equal(changed.auto_extraction, false);
  assert.equal(changed.max_memories, before);
  await memory.settings.update({ auto_extraction: true });
  await memory.profile.merge({ name: "민지", interests: ["AI", "여행"] });
  await memory.profile.forget("interests", "AI");
  const card = await memory.profile.get();
  assert.deepEqual(card.profile, { name: "민지", interests: ["여행"] });
  assert.equal((await memory.settings.usage()).active, 2);
  assert.ok(Array.isArray((await memory.consents.get()).consents));
  assert.equal((await memory.person.change({ language: "en" })).language, "en");
  const lines = (await memory.person.export()).trim().split("\n");
  assert.ok(lines.length > 2);
  for (const line of lines) JSON.parse(line);
  assert.ok(lines.some((line) => line.includes("여행")));
  await memory.person.erase();
  assert.deepEqual((await memory.profile.get()).profile, {});
});

test("errors of the server are classes, and say it in the language asked for", { skip }, async () => {
  const { token, memory } = meetPerson();
  const korean = new Gieok({ url, token, language: "ko" });
  const missing = "00000000-0000-7000-8000-000000000000";
  await assert.rejects(memory.sessions.get(missing), NotFoundError);
  await assert.rejects(korean.memories.remember("  "), (error) => {
    assert.ok(error instanceof InvalidInputError);
    assert.equal(error.field, "content");
    assert.match(error.message, /[가-힣]/);
    return true;
  });
  await assert.rejects(memory.call("PUT /api/v1/users/me/plan", { body: { plan: "premium" } }), NotPermittedError);
  const { id } = await memory.sessions.start();
  await memory.sessions.close(id);
  await assert.rejects(memory.sessions.resume(id), ConflictError);
  await assert.rejects(new Gieok({ url, token: served?.expired ?? "" }).settings.get(), AuthenticationError);
});

test("an expired token is renewed, in calls and in sockets", { skip }, async () => {
  const { token } = meetPerson();
  const renewing = () => {
    /** @type {boolean[]} */
    const asked = [];
    const memory = new Gieok({
      url,
      getToken: ({ refresh }) => {
        asked.push(refresh);
        return refresh ? token : (served?.expired ?? "");
      },
    });
    return { memory, asked };
  };
  const calling = renewing();
  const { id } = await calling.memory.sessions.start();
  assert.deepEqual(calling.asked, [false, true]);
  const following = renewing();
  for await (const event of following.memory.sessions.follow(id)) {
    assert.equal(event.type, "session");
    break;
  }
  assert.deepEqual(following.asked, [false, true]);
});

test("an app's key acts for a person", { skip }, async () => {
  const memory = new Gieok({ url, apiKey: served?.key ?? "", user: "앱의 은베" });
  await memory.memories.remember("I live in Queens", { category: "location" });
  assert.equal((await memory.memories.list()).total, 1);
  const { id } = await memory.sessions.start();
  for await (const event of memory.sessions.follow(id)) {
    if (event.type === "session") await memory.sessions.close(id);
  }
  const nobody = new Gieok({ url, apiKey: served?.key ?? "" });
  await assert.rejects(nobody.memories.list(), AuthenticationError);
  await assert.rejects(nobody.sessions.follow(id).next(), AuthenticationError);
});

test("a session is followed until it ends", { skip }, async () => {
  const { memory } = meetPerson();
  const { id } = await memory.sessions.start();
  await memory.sessions.record(id, { user_text: "one", assistant_text: "two" });
  /** @type {string[]} */
  const seen = [];
  for await (const event of memory.sessions.follow(id, { after: -1 })) {
    seen.push(event.type === "message" ? event.content : event.type);
    if (seen.at(-1) === "two") {
      await memory.sessions.append(id, { role: "user", content: "three" });
      await memory.sessions.close(id);
    }
  }
  assert.deepEqual(
    seen.filter((each) => each !== "status"),
    ["session", "one", "two", "three", "ended"],
  );
});

test("a connection that breaks is opened again, and nothing is told twice", { skip }, async () => {
  const { token, memory } = meetPerson();
  const line = await startLine(url);
  try {
    const { id } = await memory.sessions.start();
    /** @type {string[]} */
    const seen = [];
    for await (const event of new Gieok({ url: line.url, token }).sessions.follow(id)) {
      if (event.type === "message") seen.push(event.content);
      if (event.type === "session") seen.push(`session after ${event.after}`);
      if (seen.length === 1 && event.type === "session") {
        await memory.sessions.record(id, { user_text: "one", assistant_text: "two" });
      }
      if (event.type === "message" && event.content === "two") {
        line.cut();
        await memory.sessions.record(id, { user_text: "three", assistant_text: "four" });
        await memory.sessions.close(id);
      }
    }
    assert.deepEqual(seen, ["session after -1", "one", "two", "session after 1", "three", "four"]);
  } finally {
    line.stop();
  }
});

test("following stops when its caller aborts, and what is not there is said", { skip }, async () => {
  const { memory } = meetPerson();
  const { id } = await memory.sessions.start();
  const abort = new AbortController();
  await assert.rejects(
    async () => {
      for await (const event of memory.sessions.follow(id, { signal: abort.signal })) {
        assert.equal(event.type, "session");
        abort.abort(new Error("enough"));
      }
    },
    { message: "enough" },
  );
  const missing = memory.sessions.follow("00000000-0000-7000-8000-000000000000");
  await assert.rejects(missing.next(), NotFoundError);
});

test("two people never see each other's memories", { skip }, async () => {
  const [one, other] = [meetPerson(), meetPerson()];
  const { id } = await one.memory.memories.remember("나는 강남구에 살아", { category: "location" });
  await assert.rejects(other.memory.memories.get(id), NotFoundError);
  await assert.rejects(other.memory.memories.forget(id), NotFoundError);
  assert.equal((await one.memory.memories.list()).total, 1);
});

test("the tutor remembers what is said in a call, until it is forgotten", { skip }, async () => {
  const { name, token } = meetPerson();
  const outbox = new MemoryStorage();
  const tutor = createTutor({ url: `${url}/api/v1/tutor`, token, getUserId: () => name, outbox });
  assert.deepEqual(await tutor.getUserMemory(), {});
  assert.deepEqual(await tutor.extractUserInfo(CALL.slice(1)), { extracted: {} });
  const { extracted, merged } = await tutor.extractUserInfo(CALL);
  assert.equal(extracted.name, "영광");
  assert.deepEqual(merged, extracted);
  assert.deepEqual(await tutor.extractUserInfo(CALL), { extracted, merged });
  assert.deepEqual(await tutor.getUserMemory(), merged);
  assert.deepEqual(await tutor.saveUserMemory({ name: "영광", interests: ["AI"] }), { success: true });
  assert.deepEqual(await tutor.getUserMemory(), { name: "영광", interests: ["AI"] });
  assert.equal(outbox.length, 0);
});

test("the tutor's memory is the token's person's alone", { skip }, async () => {
  const { token } = meetPerson();
  const tutor = createTutor({ url: `${url}/api/v1/tutor`, token, getUserId: () => "somebody else" });
  await assert.rejects(tutor.getUserMemory(), NotPermittedError);
  await assert.rejects(tutor.extractUserInfo(CALL), NotPermittedError);
});

test("a server without a model that talks says so", { skip }, async () => {
  const { name, token } = meetPerson();
  const tutor = createTutor({ url: `${url}/api/v1/tutor`, token, getUserId: () => name, retries: 0 });
  await assert.rejects(tutor.chat([{ role: "user", content: "Hello!" }]), UnavailableError);
});
