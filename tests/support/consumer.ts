/** An app that uses the published package: what it may write, and what it may not. */

import { Gieok, InvalidInputError, createTutor } from "@gieok/client";
import type { SessionEvent, TutorMemory } from "@gieok/client";

const { getUserMemory, saveUserMemory, extractUserInfo } = createTutor({
  url: "/api/v1/tutor",
  getToken: async ({ refresh }) => (refresh ? "new" : "old"),
  getUserId: () => null,
  outbox: localStorage,
});
const memory: TutorMemory = await getUserMemory();
const saved: boolean = (await saveUserMemory(memory)).success;
const { extracted } = await extractUserInfo([{ role: "user", content: "안녕하세요" }]);
const interests: string[] | undefined = extracted.interests;
// @ts-expect-error a system's message is no message of a call
await extractUserInfo([{ role: "system", content: "" }]);
// @ts-expect-error it has to say who is signed in
createTutor({ url: "/" });

const gieok = new Gieok({ url: "https://memory.example", token: "t" });
const session = await gieok.sessions.start({ language: "ko" }, { signal: new AbortController().signal });
await gieok.sessions.record(session.id, { user_text: "a", assistant_text: "b" });
// @ts-expect-error a turn has two sides
await gieok.sessions.record(session.id, { user_text: "a" });
const { hits } = await gieok.recall("where?", { limit: 3, filters: { kinds: ["memory"] } });
const found: string | undefined = hits[0]?.content;
// @ts-expect-error there is no such kind
await gieok.recall("where?", { filters: { kinds: ["dream"] } });
const { lines } = await gieok.call("GET /api/v1/users/me/audit", { query: { limit: 5 } });
const hash: string | undefined = lines[0]?.hash;
await gieok.call("DELETE /api/v1/users/me/devices/{device_id}", { path: { device_id: "d" } });
// @ts-expect-error the address has a part
await gieok.call("DELETE /api/v1/users/me/devices/{device_id}");
// @ts-expect-error there is no such call
await gieok.call("GET /api/v1/users");

for await (const event of gieok.sessions.follow(session.id)) {
  const told: SessionEvent = event;
  if (told.type === "message") console.log(told.content.length, told.position);
  // @ts-expect-error only a message has content
  if (told.type === "ended") console.log(told.content);
}
try {
  await gieok.memories.remember("");
} catch (error) {
  if (error instanceof InvalidInputError) console.log(error.field?.length, error.status.toFixed());
}
console.log(saved, interests, found, hash);
