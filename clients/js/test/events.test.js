/** Following a session over sockets that are lost, without a server. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { AuthenticationError, ConnectionError, Gieok } from "../src/index.js";
import { scriptSockets } from "./support.js";

test("a socket of an app's key is opened again when its minute is over", async () => {
  const said = (/** @type {number} */ position) => ({ type: "message", position, content: `${position}` });
  const began = (/** @type {number} */ after) => ({ type: "session", after });
  const { opened, WebSocket } = scriptSockets(
    [[began(-1), said(0)], 4401],
    [[began(0)], 4401],
    [[began(0), said(1), { type: "ended" }], 1000],
  );
  const memory = new Gieok({ url: "http://memory.example", apiKey: "gk_1", user: "영광" });
  const seen = [];
  for await (const event of memory.sessions.follow("s", { WebSocket })) {
    if (event.type === "message") seen.push(event.content);
  }
  assert.deepEqual(seen, ["0", "1"]);
  assert.deepEqual(
    opened.map(({ address }) => new URL(address).search),
    ["", "?after=0", "?after=0"],
  );
  for (const { opening } of opened) {
    assert.equal(opening.headers["X-API-Key"], "gk_1");
    assert.equal(Buffer.from(opening.headers["X-Gieok-User"], "latin1").toString("utf8"), "영광");
  }
});

test("a key that is revoked meanwhile ends the following", async () => {
  const { opened, WebSocket } = scriptSockets([[{ type: "session", after: -1 }], 4401], [[], 4401]);
  const memory = new Gieok({ url: "http://memory.example", apiKey: "gk_1", user: "minji" });
  await assert.rejects(async () => {
    for await (const event of memory.sessions.follow("s", { WebSocket })) assert.equal(event.type, "session");
  }, AuthenticationError);
  assert.equal(opened.length, 2);
});

test("of a key and a token, a socket shows both", async () => {
  const { opened, WebSocket } = scriptSockets([[{ type: "ended" }], 1000]);
  const memory = new Gieok({ url: "http://memory.example", apiKey: "gk_1", token: "t" });
  for await (const event of memory.sessions.follow("s", { WebSocket })) assert.equal(event.type, "ended");
  assert.deepEqual(opened[0]?.opening, { headers: { Authorization: "Bearer t", "X-API-Key": "gk_1" } });
});

/**
 * Follow a session without waiting, and return the types of its events and the pauses.
 *
 * @param {Parameters<typeof scriptSockets>} lives
 */
async function followHastily(...lives) {
  const { WebSocket } = scriptSockets(...lives);
  const memory = new Gieok({ url: "http://memory.example", token: "t" });
  const { setTimeout } = globalThis;
  /** @type {string[]} */
  const seen = [];
  /** @type {number[]} */
  const pauses = [];
  globalThis.setTimeout = /** @type {any} */ (
    (/** @type {() => void} */ act, /** @type {number | undefined} */ ms) => {
      if (ms !== undefined) pauses.push(ms);
      return setTimeout(act, 0);
    }
  );
  /** @type {unknown} */
  let error;
  try {
    for await (const event of memory.sessions.follow("s", { WebSocket })) seen.push(event.type);
  } catch (thrown) {
    error = thrown;
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  return { seen, pauses, error };
}

const BEGAN = { type: "session", after: -1 };
const LOST = /** @type {[object[], number]} */ ([[], 1006]);

test("a session is followed on, however long the network was away", async () => {
  const away = Array.from({ length: 20 }, () => LOST);
  const { seen, pauses, error } = await followHastily([[BEGAN], 1006], ...away, [[BEGAN, { type: "ended" }], 1000]);
  assert.deepEqual([seen, error], [["session", "session", "ended"], undefined]);
  assert.equal(pauses.length, 21);
  assert.ok(Math.max(...pauses) <= 10_000, `${pauses}`);
});

test("an address at which nobody ever answers is said after eight tries", async () => {
  const { seen, pauses, error } = await followHastily(...Array.from({ length: 20 }, () => LOST));
  assert.ok(error instanceof ConnectionError);
  assert.deepEqual([seen, pauses.length], [[], 7]);
});

test("a server that breaks after its first event is asked less and less often", async () => {
  const broken = Array.from({ length: 8 }, () => /** @type {[object[], number]} */ ([[BEGAN], 1011]));
  const { pauses } = await followHastily(...broken, [[BEGAN, { type: "ended" }], 1000]);
  assert.ok(Number(pauses.at(-1)) >= 5_000, `${pauses}`);
});

test("a connection that stood for a while is opened again at once", async () => {
  const quiet = Array.from({ length: 8 }, () => /** @type {[object[], number]} */ ([[BEGAN], 1006]));
  const { now } = Date;
  let clock = now();
  Date.now = () => (clock += 30_000);
  try {
    const { pauses } = await followHastily(...quiet, [[{ type: "ended" }], 1000]);
    assert.ok(Math.max(...pauses) <= 300, `${pauses}`);
  } finally {
    Date.now = now;
  }
});

test("a connection that told something is opened again at once", async () => {
  const told = Array.from({ length: 8 }, (_, position) => /** @type {[object[], number]} */ ([
    [BEGAN, { type: "message", position, content: "" }],
    1006,
  ]));
  const { pauses } = await followHastily(...told, [[{ type: "ended" }], 1000]);
  assert.ok(Math.max(...pauses) <= 300, `${pauses}`);
});
