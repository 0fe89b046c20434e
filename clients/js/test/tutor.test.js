/** The three functions of the tutor's page, without gieok (C07). */

import assert from "node:assert/strict";
import { test } from "node:test";

import { InvalidInputError, UnavailableError, createTutor } from "../src/index.js";
import { splitMessages } from "../src/messages.js";
import { LASTS_MS, Outbox } from "../src/outbox.js";
import { countBytes } from "../src/transport.js";
import { CALL, MemoryStorage, startServer } from "./support.js";

const LONG = [...CALL, { role: /** @type {const} */ ("user"), content: "x".repeat(90_000) }, ...CALL];

/**
 * @param {Parameters<typeof startServer>} answers
 * @param {(tutor: import("../src/index.js").Tutor, seen: import("./support.js").Seen[]) => Promise<void>} run
 * @param {Partial<import("../src/index.js").TutorOptions>} [options]
 */
async function withTutor(answers, run, options = {}) {
  const server = await startServer(...answers);
  try {
    await run(createTutor({ url: server.url, getUserId: () => "minji", ...options }), server.seen);
  } finally {
    server.stop();
  }
}

test("the bodies are the document's", async () => {
  await withTutor([[200, { memory: { name: "영광" }, success: true }]], async (tutor, seen) => {
    const { getUserMemory, saveUserMemory, extractUserInfo } = tutor;
    assert.deepEqual(await getUserMemory(), { name: "영광" });
    assert.equal((await saveUserMemory({ name: "영광" })).success, true);
    await extractUserInfo(CALL.map((message) => ({ ...message, id: 1 })));
    assert.deepEqual(
      seen.map(({ body }) => body),
      [
        { action: "get_user_memory", user_id: "minji" },
        { action: "save_user_memory", user_id: "minji", memory: { name: "영광" } },
        { action: "extract_user_info", user_id: "minji", messages: CALL },
      ],
    );
    assert.deepEqual(new Set(seen.map(({ method, url }) => `${method} ${url}`)), new Set(["POST /"]));
  });
});

test("a save that is tried again does not undo a newer one", async () => {
  await withTutor([[503, {}], [200, { success: true }]], async (tutor, seen) => {
    const older = tutor.saveUserMemory({ name: "영광" });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const newer = await tutor.saveUserMemory({ name: "영광이" });
    assert.deepEqual([await older, newer], [{ success: true }, { success: true }]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(
      seen.map(({ body }) => body.memory.name),
      ["영광", "영광이"],
    );
  });
});

test("a newer save is sent once the server has done the one before it", async () => {
  /** @type {string[]} */
  const events = [];
  await withTutor(
    [[200, { success: true }]],
    async (tutor) => {
      const both = [tutor.saveUserMemory({ name: "영광" }), tutor.saveUserMemory({ name: "영광이" })];
      assert.deepEqual(await Promise.all(both), [{ success: true }, { success: true }]);
      assert.deepEqual(events, ["sent 영광", "done 영광", "sent 영광이", "done 영광이"]);
    },
    {
      fetch: async (url, init) => {
        const { name } = JSON.parse(String(init.body)).memory;
        events.push(`sent ${name}`);
        const answer = await fetch(url, init);
        await new Promise((resolve) => setTimeout(resolve, 30));
        events.push(`done ${name}`);
        return answer;
      },
    },
  );
});

test("a save that waits to be tried again is made where the newer one is refused", async () => {
  const refused = { error: { code: "invalid_input", message: "no", field: "memory" } };
  await withTutor([[503, {}], [422, refused], [200, { success: true }]], async (tutor, seen) => {
    const older = tutor.saveUserMemory({ name: "영광" });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await assert.rejects(tutor.saveUserMemory({ name: "x".repeat(9) }), InvalidInputError);
    assert.deepEqual(await older, { success: true });
    assert.deepEqual(
      seen.map(({ body }) => body.memory.name),
      ["영광", "x".repeat(9), "영광"],
    );
  });
});

test("of saves that wait for one under way the last is made, and one that fails ends them", async () => {
  await withTutor(
    [[503, {}], [200, { success: true }], [503, {}]],
    async (tutor, seen) => {
      const three = ["a", "b", "c"].map((name) => tutor.saveUserMemory({ name }));
      assert.deepEqual(await Promise.all(three), Array(3).fill({ success: true }));
      assert.deepEqual(
        seen.map(({ body }) => body.memory.name),
        ["a", "c"],
      );
      const two = await Promise.allSettled([tutor.saveUserMemory({ name: "d" }), tutor.saveUserMemory({ name: "e" })]);
      assert.deepEqual(
        two.map(({ status }) => status),
        ["rejected", "rejected"],
      );
      assert.equal(seen.length, 4);
    },
    { retries: 0 },
  );
});

test("a save that waits is not made with the token of somebody else", async () => {
  /** @type {(who: string | null) => void} */
  let change = () => {};
  await withTwoPeople(
    async (tutor, seen, signIn) => {
      change = signIn;
      const both = [tutor.saveUserMemory({ name: "a" }), tutor.saveUserMemory({ name: "b" })];
      const saved = await Promise.all(both);
      assert.deepEqual(
        saved.map(({ success }) => success),
        [true, false],
      );
      assert.deepEqual(
        seen.map(({ headers, body }) => [headers.authorization, body.memory.name]),
        [["Bearer token of minji", "a"]],
      );
    },
    undefined,
    (url, init) => {
      change("jiwoo");
      return fetch(url, init);
    },
  );
});

test("with nobody signed in, nothing is sent", async () => {
  for (const nobody of [null, undefined, ""]) {
    await withTutor(
      [[200, {}]],
      async (tutor, seen) => {
        assert.deepEqual(await tutor.getUserMemory(), {});
        assert.deepEqual(await tutor.saveUserMemory({ name: "x" }), { success: false });
        assert.deepEqual(await tutor.extractUserInfo(CALL), { extracted: {} });
        assert.deepEqual(await tutor.resumeExtractions(), { extracted: {} });
        assert.equal(seen.length, 0);
      },
      { getUserId: () => nobody, outbox: new MemoryStorage() },
    );
  }
});

test("a bubble without words and half a character do not have a call refused", async () => {
  const role = /** @type {const} */ ("assistant");
  const empty = ["", " \n", "\x1f", /** @type {any} */ (undefined)].map((content) => ({ role, content }));
  const cut = [{ role, content: "Well done 😀".slice(0, -1) }, { role, content: "a\0b" }];
  const mended = [{ role, content: "Well done \ufffd" }, { role, content: "a\ufffdb" }];
  await withTutor([[200, { extracted: {}, message: "Hi!" }]], async (tutor, seen) => {
    await tutor.extractUserInfo([...empty, ...CALL, ...cut, { role, content: "👩‍👩‍👧 가" }]);
    await tutor.chat([...empty, ...cut]);
    assert.deepEqual(
      seen.map(({ body }) => body.messages),
      [[...CALL, ...mended, { role, content: "👩‍👩‍👧 가" }], mended],
    );
    await tutor.extractUserInfo([...CALL.slice(0, 3), ...empty]);
    assert.equal(seen.length, 2, "under four messages of words, nothing is sent");
  });
});

test("under four messages, nothing is sent", async () => {
  await withTutor([[200, { extracted: { name: "x" } }]], async (tutor, seen) => {
    for (const count of [0, 1, 2, 3]) {
      assert.deepEqual(await tutor.extractUserInfo(CALL.slice(0, count)), { extracted: {} });
    }
    assert.equal(seen.length, 0);
    assert.deepEqual(await tutor.extractUserInfo(CALL), { extracted: { name: "x" } });
    assert.equal(seen.length, 1);
  });
});

test("an extraction is tried again until it is done", async () => {
  await withTutor(
    ["hang up", [503, {}], [200, { extracted: { name: "영광" }, merged: { name: "영광" } }]],
    async (tutor, seen) => {
      const found = await tutor.extractUserInfo(CALL);
      assert.deepEqual(found, { extracted: { name: "영광" }, merged: { name: "영광" } });
      assert.equal(seen.length, 3);
    },
  );
});

test("a long call goes in parts that outlive the page, and comes back as one", async () => {
  /** @type {{ size: number, keepalive: boolean | undefined }[]} */
  const sent = [];
  const long = Array.from({ length: 40 }, (_, n) => ({
    role: n % 2 ? /** @type {const} */ ("assistant") : /** @type {const} */ ("user"),
    content: `${n} ${"가".repeat(1_500)}`,
  }));
  await withTutor(
    [
      [200, { extracted: { interests: ["AI"], name: "a" }, merged: { name: "a" } }],
      [200, { extracted: { interests: ["AI", "여행"] }, merged: { name: "b" } }],
      [200, { extracted: {}, merged: { name: "c" } }],
    ],
    async (tutor, seen) => {
      assert.deepEqual(await tutor.extractUserInfo(long), {
        extracted: { interests: ["AI", "여행"], name: "a" },
        merged: { name: seen.length > 2 ? "c" : "b" },
      });
      assert.deepEqual(
        seen.flatMap(({ body }) => body.messages),
        long,
      );
    },
    {
      fetch: (url, init) => {
        sent.push({ size: countBytes(String(init.body)), keepalive: init.keepalive });
        return fetch(url, init);
      },
    },
  );
  assert.ok(sent.length > 1);
  for (const { size, keepalive } of sent) assert.ok(keepalive && size <= 60_000, `${size}`);
});

test("a message longer than a browser keeps alive is sent nevertheless", async () => {
  /** @type {(boolean | undefined)[]} */
  const kept = [];
  const huge = [...CALL, { role: /** @type {const} */ ("user"), content: "x".repeat(90_000) }];
  await withTutor(
    [[200, { extracted: {} }]],
    async (tutor, seen) => {
      await tutor.extractUserInfo(huge);
      assert.deepEqual(
        seen.flatMap(({ body }) => body.messages),
        huge,
      );
    },
    {
      fetch: (url, init) => {
        kept.push(init.keepalive);
        return fetch(url, init);
      },
    },
  );
  assert.deepEqual(kept, [true, false]);
});

test("requests under way together never ask browsers for more than they keep alive", async () => {
  /** @type {boolean[]} */
  const kept = [];
  const half = [...CALL, { role: /** @type {const} */ ("user"), content: "x".repeat(35_000) }];
  await withTutor(
    [[200, { extracted: {} }]],
    async (tutor, seen) => {
      await Promise.all([tutor.extractUserInfo(half), tutor.extractUserInfo(half)]);
      await tutor.extractUserInfo(half);
      assert.equal(seen.length, 3);
    },
    {
      fetch: (url, init) => {
        kept.push(init.keepalive === true);
        return fetch(url, init);
      },
    },
  );
  assert.deepEqual(kept, [true, false, true]);
});

test("where a browser refuses to keep it alive, the next try does without", async () => {
  /** @type {boolean[]} */
  const kept = [];
  await withTutor(
    [[200, { extracted: { name: "x" } }]],
    async (tutor) => {
      assert.deepEqual(await tutor.extractUserInfo(CALL), { extracted: { name: "x" } });
    },
    {
      fetch: (url, init) => {
        kept.push(init.keepalive === true);
        return init.keepalive ? Promise.reject(new TypeError("Failed to fetch")) : fetch(url, init);
      },
    },
  );
  assert.deepEqual(kept, [true, false]);
});

test("what did not arrive waits in the outbox, and goes with the next page", async () => {
  const outbox = new MemoryStorage();
  outbox.setItem("the app's own", "kept");
  await withTutor(
    [[503, {}]],
    async (tutor) => {
      await assert.rejects(tutor.extractUserInfo(CALL), UnavailableError);
      assert.equal(outbox.length, 2);
    },
    { outbox, retries: 0 },
  );
  await withTutor([[200, { extracted: {} }]], async (tutor, seen) => {
    await tutor.resumeExtractions();
    assert.equal(seen.length, 0);
  }, { outbox, getUserId: () => "somebody else" });
  await withTutor(
    [[200, { extracted: { name: "영광" } }]],
    async (tutor, seen) => {
      assert.deepEqual(await tutor.resumeExtractions(), { extracted: { name: "영광" } });
      assert.deepEqual(seen[0]?.body, { action: "extract_user_info", user_id: "minji", messages: CALL });
      assert.deepEqual(await tutor.resumeExtractions(), { extracted: {} });
      assert.equal(seen.length, 1);
    },
    { outbox },
  );
  assert.equal(outbox.length, 1);
});

test("a long call that waited arrives in the order in which it was said", async () => {
  class OddStorage extends MemoryStorage {
    /** @param {number} index */
    key(index) {
      return super.key(this.length - 1 - index);
    }
  }
  const outbox = new OddStorage();
  const long = Array.from({ length: 50 }, (_, n) => ({
    role: /** @type {const} */ ("user"),
    content: `${n} ${"x".repeat(20_000)}`,
  }));
  await withTutor([[503, {}]], (tutor) => assert.rejects(tutor.extractUserInfo(long), UnavailableError), {
    outbox,
    retries: 0,
  });
  await withTutor(
    [[200, { extracted: {} }]],
    async (tutor, seen) => {
      await tutor.resumeExtractions();
      assert.ok(seen.length > 10, `${seen.length}`);
      assert.deepEqual(
        seen.flatMap(({ body }) => body.messages),
        long,
      );
    },
    { outbox },
  );
});

for (const body of ["<!doctype html><title>Maintenance</title>", null, []]) {
  test(`an answer that is no object says nothing of anybody: ${JSON.stringify(body)}`, async () => {
    const outbox = new MemoryStorage();
    await withTutor(
      [[200, body]],
      async (tutor) => {
        await assert.rejects(tutor.getUserMemory(), { code: "not_json" });
        await assert.rejects(tutor.chat([{ role: "user", content: "Hello!" }]), { code: "not_json" });
        await assert.rejects(tutor.extractUserInfo(CALL), { code: "not_json" });
        assert.equal(outbox.length, 1, "it goes with the next page");
      },
      { outbox },
    );
  });
}

const REFUSED = { error: { code: "model_refused", message: "no" } };
const MODEL_AWAY = { error: { code: "model_unavailable", message: "no" } };

test("a part that the model refuses holds up no other, and does not come after one that is taken", async () => {
  const outbox = new MemoryStorage();
  await withTutor(
    [[200, { extracted: {} }], [503, REFUSED], [200, { extracted: {} }]],
    async (tutor, seen) => {
      await assert.rejects(tutor.extractUserInfo(LONG), { code: "model_refused" });
      assert.equal(seen.length, 3, "those behind it are sent");
      assert.equal(outbox.length, 0, "what was said later would be overwritten");
    },
    { outbox, retries: 0 },
  );
});

test("a part that the model refuses waits while nothing that was said later is taken", async () => {
  const outbox = new MemoryStorage();
  await withTutor(
    [[503, REFUSED], [503, MODEL_AWAY]],
    async (tutor, seen) => {
      await assert.rejects(tutor.extractUserInfo(LONG), { code: "model_unavailable" });
      assert.equal(seen.length, 2);
      assert.equal(outbox.length, 3);
    },
    { outbox, retries: 0 },
  );
});

test("what was said later waits for a part at which the model is away", async () => {
  const outbox = new MemoryStorage();
  const monday = [{ role: /** @type {const} */ ("user"), content: "I'm a student." }];
  const tuesday = [{ role: /** @type {const} */ ("user"), content: "I'm a nurse now." }];
  const kept = new Outbox(outbox);
  for (const said of [monday, tuesday]) kept.add("minji", said);
  await withTutor(
    [[503, MODEL_AWAY], [200, { extracted: {} }]],
    async (tutor, seen) => {
      await assert.rejects(tutor.resumeExtractions(), { code: "model_unavailable" });
      assert.equal(seen.length, 1);
      await tutor.resumeExtractions();
      assert.deepEqual(
        seen.map(({ body }) => body.messages),
        [monday, monday, tuesday],
      );
    },
    { outbox, retries: 0 },
  );
});

test("without an outbox a part at which the model is away holds up no other", async () => {
  await withTutor(
    [[503, MODEL_AWAY], [200, { extracted: {} }]],
    async (tutor, seen) => {
      await assert.rejects(tutor.extractUserInfo(LONG), { code: "model_unavailable" });
      assert.equal(seen.length, 3, "it does not come again");
    },
    { retries: 0 },
  );
});

test("what the server refuses for good does not wait", async () => {
  const outbox = new MemoryStorage();
  await withTutor(
    [[422, { error: { code: "invalid_input", message: "no", field: "messages.0" } }]],
    async (tutor) => {
      await assert.rejects(tutor.extractUserInfo(CALL), InvalidInputError);
      assert.equal(outbox.length, 0);
    },
    { outbox },
  );
});

for (const [status, body] of /** @type {[number, unknown][]} */ ([
  [400, { error: { code: "ambiguous_length" } }],
  [403, "<html>Forbidden</html>"],
  [404, { error: { code: "no_such_route" } }],
  [405, "<html>Not allowed</html>"],
  [408, { error: { code: "body_too_slow" } }],
  [409, { error: { code: "conflict" } }],
  [413, "<html>Too large</html>"],
  [422, "<html>Unprocessable</html>"],
])) {
  test(`what ${status} is said of by who knows what waits in the outbox`, async () => {
    const outbox = new MemoryStorage();
    await withTutor(
      [[status, body]],
      async (tutor) => {
        await assert.rejects(tutor.extractUserInfo(CALL), { status });
        assert.equal(outbox.length, 1);
      },
      { outbox },
    );
  });
}

for (const [status, code] of /** @type {[number, string][]} */ ([
  [403, "not_permitted"],
  [413, "body_too_large"],
  [422, "invalid_input"],
])) {
  test(`what our server refuses by ${code} does not wait`, async () => {
    const outbox = new MemoryStorage();
    await withTutor(
      [[status, { error: { code } }]],
      async (tutor) => {
        await assert.rejects(tutor.extractUserInfo(CALL), { code });
        assert.equal(outbox.length, 0);
      },
      { outbox },
    );
  });
}

/** Somebody signs in after somebody else, on one page. */
async function withTwoPeople(
  /** @type {(tutor: import("../src/index.js").Tutor, seen: import("./support.js").Seen[], signIn: (who: string | null) => void) => Promise<void>} */ run,
  /** @type {MemoryStorage | undefined} */ outbox = undefined,
  /** @type {import("../src/index.js").TutorOptions["fetch"]} */ fetch = undefined,
) {
  /** @type {string | null} */
  let who = "minji";
  const signIn = (/** @type {string | null} */ next) => void (who = next);
  await withTutor([[200, { memory: {}, success: true, extracted: { name: "x" } }]], (tutor, seen) => run(tutor, seen, signIn), {
    outbox,
    getUserId: () => who,
    getToken: () => `token of ${who}`,
    ...(fetch === undefined ? {} : { fetch }),
  });
}

test("nobody is asked about with the token of whoever was there before", async () => {
  await withTwoPeople(async (tutor, seen, signIn) => {
    await tutor.getUserMemory();
    signIn("jiwoo");
    await tutor.getUserMemory();
    signIn(null);
    await tutor.chat([{ role: "user", content: "Hello!" }]);
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      ["minji", "jiwoo", null].map((who) => `Bearer token of ${who}`),
    );
  });
});

test("a token that comes once somebody else is there is not theirs", async () => {
  /** @type {string | undefined} */
  let who = "minji";
  /** @type {((token: string) => void)[]} */
  const waiting = [];
  await withTutor(
    [[200, { memory: {} }]],
    async (tutor, seen) => {
      const first = tutor.getUserMemory();
      await new Promise((resolve) => setTimeout(resolve, 5));
      who = "jiwoo";
      const second = tutor.getUserMemory();
      await new Promise((resolve) => setTimeout(resolve, 5));
      waiting[1]?.("second");
      await second;
      waiting[0]?.("first");
      await first;
      await tutor.getUserMemory();
      assert.deepEqual(
        seen.map(({ headers, body }) => [headers.authorization, body.user_id]),
        [["Bearer second", "jiwoo"], ["Bearer first", "minji"], ["Bearer second", "jiwoo"]],
      );
    },
    { getUserId: () => who, getToken: () => new Promise((resolve) => waiting.push(resolve)) },
  );
});

test("a conversation is not sent on once somebody else is there", async () => {
  const outbox = new MemoryStorage();
  /** @type {(who: string | null) => void} */
  let change = () => {};
  await withTwoPeople(
    async (tutor, seen, signIn) => {
      change = signIn;
      await tutor.extractUserInfo(LONG);
      assert.equal(seen.length, 1);
      assert.equal(new Outbox(outbox).list("minji").length, 2, "it goes with them the next time");
    },
    outbox,
    async (url, init) => {
      const answer = await fetch(url, init);
      change("jiwoo");
      return answer;
    },
  );
});

test("a conversation is sent on where its person has signed out", async () => {
  /** @type {(who: string | null) => void} */
  let change = () => {};
  await withTwoPeople(
    async (tutor, seen, signIn) => {
      change = signIn;
      await tutor.extractUserInfo(LONG);
      assert.deepEqual(new Set(seen.map(({ headers }) => headers.authorization)), new Set(["Bearer token of minji"]));
      assert.equal(seen.length, 3);
    },
    undefined,
    (url, init) => {
      change(null);
      return fetch(url, init);
    },
  );
});

test("a token that could not be had once is asked for again", async () => {
  let count = 0;
  await withTutor(
    [[200, { memory: { name: "영광" } }]],
    async (tutor) => {
      await assert.rejects(tutor.getUserMemory(), /not yet/);
      assert.deepEqual(await tutor.getUserMemory(), { name: "영광" });
    },
    {
      getToken: () => {
        count += 1;
        if (count === 1) throw new Error("not yet");
        return "token";
      },
    },
  );
});

test("a part that is refused does not keep the others back", async () => {
  const outbox = new MemoryStorage();
  const long = [...CALL, { role: /** @type {const} */ ("user"), content: "x".repeat(70_000) }, ...CALL];
  await withTutor(
    [[200, { extracted: {} }], [422, { error: { code: "invalid_input", message: "no" } }], [200, { extracted: {} }]],
    async (tutor, seen) => {
      await assert.rejects(tutor.extractUserInfo(long), InvalidInputError);
      assert.equal(seen.length, 3);
      assert.equal(outbox.length, 0);
    },
    { outbox },
  );
});

test("a full storage loses nothing that can be sent", async () => {
  await withTutor(
    [[200, { extracted: { name: "x" } }]],
    async (tutor, seen) => {
      assert.deepEqual(await tutor.extractUserInfo(CALL), { extracted: { name: "x" } });
      assert.equal(seen.length, 1);
    },
    { outbox: new MemoryStorage(10) },
  );
});

test("whoever wants to be forgotten takes back what waits", async () => {
  const outbox = new MemoryStorage();
  new Outbox(outbox).add("minji", CALL);
  new Outbox(outbox).add("other", CALL);
  await withTutor([[200, {}]], async (tutor) => tutor.discardExtractions(), { outbox });
  assert.equal(new Outbox(outbox).list("minji").length, 0);
  assert.equal(new Outbox(outbox).list("other").length, 1);
});


for (const outbox of [new MemoryStorage(), undefined]) {
  test(`what is on its way is not sent any more, ${outbox ? "with" : "without"} an outbox`, async () => {
    /** @type {import("../src/index.js").Tutor | undefined} */
    let asked;
    await withTutor(
      [[200, { extracted: { name: "x" } }]],
      async (tutor, seen) => {
        asked = tutor;
        assert.deepEqual(await tutor.extractUserInfo(LONG), { extracted: {} });
        assert.equal(seen.length, 1, "the parts behind it are not sent");
        assert.equal(outbox?.length ?? 0, 0);
        await tutor.extractUserInfo(CALL);
        assert.equal(seen.length, 2, "what is said afterwards is");
      },
      {
        outbox,
        fetch: async (url, init) => {
          const answer = await fetch(url, init);
          if (String(init.body).length < 2_000 && asked) {
            asked.discardExtractions();
            asked = undefined;
          }
          return answer;
        },
      },
    );
  });
}

test("an outbox drops what is old or no conversation", () => {
  const storage = new MemoryStorage();
  const old = JSON.stringify({ userId: "minji", messages: CALL, at: Date.now() - LASTS_MS - 1 });
  storage.setItem("gieok.extraction.1", old);
  storage.setItem("gieok.extraction.2", "{half");
  storage.setItem("gieok.extraction.3", "null");
  const outbox = new Outbox(storage);
  const key = outbox.add("minji", CALL);
  assert.deepEqual(
    outbox.list("minji").map((pending) => pending.key),
    [key],
  );
  assert.equal(storage.length, 1);
});

test("a chat tells who talks, how, and only what was said", async () => {
  await withTutor([[200, { message: "Hi!" }]], async (tutor, seen) => {
    const messages = [{ role: /** @type {const} */ ("user"), content: "Hello!", at: 5 }];
    assert.equal(await tutor.chat(messages, { accent: "uk" }), "Hi!");
    assert.deepEqual(seen[0]?.body, {
      action: "chat",
      messages: [{ role: "user", content: "Hello!" }],
      settings: { accent: "uk" },
      user_id: "minji",
    });
  });
});

test("a chat whose last message has no words asks the tutor nothing", async () => {
  await withTutor([[200, { message: "Hi!" }]], async (tutor, seen) => {
    const messages = [
      { role: /** @type {const} */ ("user"), content: "hi" },
      { role: /** @type {const} */ ("assistant"), content: "Hello!" },
      { role: /** @type {const} */ ("user"), content: "  " },
    ];
    await assert.rejects(tutor.chat(messages), {
      name: "InvalidInputError",
      code: "invalid_input",
      field: "messages",
    });
    assert.equal(seen.length, 0, "the tutor would answer its own words");
  });
});

test("a call of very many short messages goes in parts that the server takes", async () => {
  const many = Array.from({ length: 2_500 }, (_, n) => ({
    role: n % 2 ? /** @type {const} */ ("assistant") : /** @type {const} */ ("user"),
    content: `${n}`,
  }));
  await withTutor([[200, { extracted: {}, message: "Hi!" }]], async (tutor, seen) => {
    await tutor.extractUserInfo(many);
    const sent = seen.map(({ body }) => body.messages);
    assert.deepEqual(sent.flat(), many);
    for (const part of sent) assert.ok(part.length <= 1_000, `${part.length}`);
    await tutor.chat(many);
    assert.deepEqual(seen.at(-1)?.body.messages, many.slice(-1_000));
  });
});

test("splitting keeps every message, in order, and every part within its size", () => {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 300; round += 1) {
    const most = 50 + Math.floor(random() * 2_000);
    const messages = Array.from({ length: Math.floor(random() * 30) }, (_, n) => ({
      role: n % 2 ? /** @type {const} */ ("user") : /** @type {const} */ ("assistant"),
      content: ["가", "a", "\n", "😀", '"'][n % 5]?.repeat(Math.floor(random() * 400)) ?? "",
    }));
    const parts = splitMessages(messages, most);
    assert.deepEqual(parts.flat(), messages);
    for (const part of parts) {
      assert.ok(part.length > 0);
      assert.ok(part.length === 1 || countBytes(JSON.stringify(part)) <= most + 2);
    }
  }
});
