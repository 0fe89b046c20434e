/** Requests: who calls, what is tried again, what is thrown. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AnswerError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  Gieok,
  GieokError,
  InvalidInputError,
  NotFoundError,
  NotPermittedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
} from "../src/index.js";
import { parseRetryAfter } from "../src/errors.js";
import { canRetry, computeDelay, sleep } from "../src/retry.js";
import { startServer } from "./support.js";

const AWAY = /** @type {[number, unknown]} */ ([503, { error: { code: "unavailable", message: "away" } }]);

/**
 * @param {Parameters<typeof startServer>} answers
 * @param {(memory: Gieok, seen: import("./support.js").Seen[]) => Promise<void>} run
 * @param {Partial<import("../src/index.js").ClientOptions>} [options]
 */
async function withServer(answers, run, options = {}) {
  const server = await startServer(...answers);
  try {
    await run(new Gieok({ url: server.url, token: "t", ...options }), server.seen);
  } finally {
    server.stop();
  }
}

for (const [status, Kind] of /** @type {[number, typeof AnswerError][]} */ ([
  [400, InvalidInputError],
  [401, AuthenticationError],
  [403, NotPermittedError],
  [404, NotFoundError],
  [409, ConflictError],
  [413, InvalidInputError],
  [418, AnswerError],
  [422, InvalidInputError],
  [500, ServerError],
  [503, UnavailableError],
])) {
  test(`an answer of ${status} throws ${Kind.name}`, async () => {
    const body = { error: { code: "why", message: "안 됩니다", field: "query" } };
    await withServer(
      [[status, body]],
      async (memory) => {
        const error = await memory.recall("?").catch((/** @type {unknown} */ found) => found);
        assert.ok(error instanceof Kind && error instanceof GieokError);
        assert.equal(error.name, Kind.name);
        const { code, message, field } = error;
        assert.deepEqual({ code, message, field }, { code: "why", message: "안 됩니다", field: "query" });
        assert.equal(error.status, status);
      },
      { retries: 0 },
    );
  });
}

test("the persona document's errors and a proxy's pages are read too", async () => {
  await withServer(
    [
      [404, { success: false, error: "PERSONA_NOT_FOUND", message: "없습니다" }],
      [502, "<h1>Bad Gateway</h1>"],
    ],
    async (memory) => {
      await assert.rejects(memory.chat({ personaId: "p", message: "hi" }), {
        name: "NotFoundError",
        code: "PERSONA_NOT_FOUND",
        message: "없습니다",
      });
      await assert.rejects(memory.settings.get(), { name: "UnavailableError", code: "http_502" });
    },
    { retries: 0 },
  );
});

const PAGE = "<!doctype html><title>Maintenance</title>";
for (const answer of /** @type {[number, unknown, Record<string, string>?][]} */ ([
  [200, PAGE],
  [200, ""],
  [200, PAGE, { "Content-Type": "application/json" }],
])) {
  test(`an answer of 2xx that is no JSON is no success: ${JSON.stringify(answer)}`, async () => {
    await withServer([answer], async (memory, seen) => {
      const calls = [
        () => memory.settings.get(),
        () => memory.sessions.record("s", { user_text: "a", assistant_text: "b" }),
        () => memory.memories.forgetAll(),
        () => memory.person.erase(),
      ];
      for (const call of calls) await assert.rejects(call, { name: "GieokError", code: "not_json" });
      assert.equal(seen.length, calls.length);
    });
  });
}

test("a content type that a proxy adds once more is the same type", async () => {
  for (const type of ["application/json, application/json", "application/json; charset=utf-8, application/json"]) {
    await withServer([[200, { hits: [] }, { "Content-Type": type }]], async (memory) => {
      assert.deepEqual(await memory.recall("where?"), { hits: [] });
    });
  }
});

test("what has no content is done, and an export is lines of JSON", async () => {
  const link = { path: "/api/v1/users/me/export/abc" };
  await withServer([[204, ""]], async (memory) => assert.equal(await memory.person.erase(), undefined));
  await withServer(
    [[201, link], [200, '{"part":1}\n', { "Content-Type": "application/x-ndjson" }], [201, link], [200, PAGE]],
    async (memory) => {
      assert.equal(await memory.person.export(), '{"part":1}\n');
      await assert.rejects(memory.person.export(), { code: "not_json" });
    },
  );
});

test("what changes nothing is tried again, three times", async () => {
  await withServer([AWAY, "hang up", AWAY, [200, { hits: [] }]], async (memory, seen) => {
    assert.deepEqual(await memory.recall("where?"), { hits: [] });
    assert.equal(seen.length, 4);
  });
  await withServer([AWAY], async (memory, seen) => {
    await assert.rejects(memory.settings.get(), UnavailableError);
    assert.equal(seen.length, 4);
  });
});

test("a turn is tried again under the same key, and another turn has another", async () => {
  const turn = { user_text: "a", assistant_text: "b" };
  for (const answer of /** @type {const} */ (["hang up", AWAY])) {
    await withServer([answer, [201, {}]], async (memory, seen) => {
      await memory.sessions.record("s", turn);
      await memory.sessions.record("s", turn);
      const [first, again, other] = seen.map(({ headers }) => headers["idempotency-key"]);
      assert.equal(seen.length, 3);
      assert.match(String(first), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(first, again);
      assert.notEqual(first, other);
    });
  }
});

test("an app's own key is sent as it is", async () => {
  const key = "0190b1f2-0000-7000-8000-000000000000";
  await withServer([[201, {}]], async (memory, seen) => {
    await memory.sessions.record("s", { user_text: "a", assistant_text: "b" }, { key });
    await memory.chat({ personaId: "p", message: "hi" }, { key });
    assert.deepEqual(
      seen.map(({ headers }) => headers["idempotency-key"]),
      [key, key],
    );
  });
});

test("what has no key is done once, whatever becomes of the answer", async () => {
  for (const answer of /** @type {const} */ (["hang up", AWAY])) {
    await withServer([answer], async (memory, seen) => {
      await assert.rejects(memory.sessions.append("s", { role: "user", content: "a" }), GieokError);
      assert.equal(seen.length, 1);
      assert.equal(seen[0]?.headers["idempotency-key"], undefined);
    });
  }
});

test("a call that was not let in is made again, after as long as the server says", async () => {
  const busy = { error: { code: "rate_limited", message: "slow down" } };
  await withServer([[429, busy, { "Retry-After": "1" }], [201, {}]], async (memory, seen) => {
    const before = performance.now();
    await memory.sessions.record("s", { user_text: "a", assistant_text: "b" });
    assert.ok(performance.now() - before >= 1000);
    assert.equal(seen.length, 2);
  });
  await withServer([[429, busy, { "Retry-After": "3600" }]], async (memory, seen) => {
    await assert.rejects(memory.settings.get(), (error) => {
      assert.ok(error instanceof RateLimitError);
      assert.equal(error.retryAfterMs, 3_600_000);
      return true;
    });
    assert.equal(seen.length, 1);
  });
});

test("deleting what the try before deleted is no error, and what is not there is one", async () => {
  const gone = /** @type {[number, unknown]} */ ([404, { error: { code: "not_found", message: "gone" } }]);
  await withServer(["hang up", gone], async (memory) => {
    assert.equal(await memory.memories.forget("m"), undefined);
  });
  await withServer([gone], async (memory) => {
    await assert.rejects(memory.memories.forget("m"), NotFoundError);
  });
});

test("a refused token is replaced once, for all calls together", async () => {
  /** @type {boolean[]} */
  const asked = [];
  const refused = { error: { code: "authentication", message: "expired" } };
  const server = await startServer([401, refused], [401, refused], [200, { memories: [] }]);
  const memory = new Gieok({
    url: server.url,
    getToken: async ({ refresh }) => {
      asked.push(refresh);
      await sleep(20);
      return `token-${asked.length}`;
    },
  });
  try {
    await Promise.all([memory.memories.list(), memory.memories.list()]);
    assert.deepEqual(asked, [false, true]);
    const sent = server.seen.map(({ headers }) => headers.authorization);
    assert.deepEqual(sent, ["Bearer token-1", "Bearer token-1", "Bearer token-2", "Bearer token-2"]);
  } finally {
    server.stop();
  }
});

test("a token that stays refused is not asked for again and again", async () => {
  let asked = 0;
  const getToken = () => `token-${(asked += 1)}`;
  const refused = { error: { code: "authentication", message: "no" } };
  await withServer(
    [[401, refused]],
    async (memory, seen) => {
      await assert.rejects(memory.settings.get(), AuthenticationError);
      assert.equal(seen.length, 2);
      assert.equal(asked, 2);
    },
    { token: undefined, getToken },
  );
});

test("an app's key goes with the person for whom it acts", async () => {
  const options = { token: undefined, apiKey: "gk_1", user: "minji", language: /** @type {const} */ ("ko") };
  await withServer(
    [[200, {}]],
    async (memory, seen) => {
      await memory.settings.get();
      assert.equal(seen[0]?.headers["x-api-key"], "gk_1");
      assert.equal(seen[0]?.headers["x-gieok-user"], "minji");
      assert.equal(seen[0]?.headers.authorization, undefined);
      assert.equal(seen[0]?.headers["accept-language"], "ko");
    },
    options,
  );
});

test("the person for whom an app's key acts may have any name", async () => {
  const options = { token: undefined, apiKey: "gk_1", retries: 0 };
  for (const user of ["영광", "josé", "가".repeat(128), "\u{1f41d}"]) {
    await withServer(
      [[200, {}]],
      async (memory, seen) => {
        await memory.settings.get();
        const sent = Buffer.from(String(seen[0]?.headers["x-gieok-user"]), "latin1");
        assert.equal(sent.toString("utf8"), user);
      },
      { ...options, user },
    );
  }
});

test("what no header may hold is a TypeError, not a server that is away", async () => {
  for (const wrong of [{ token: "토큰" }, { token: undefined, apiKey: "k", user: "a\nb" }]) {
    await withServer(
      [[200, {}]],
      async (memory, seen) => {
        await assert.rejects(memory.settings.get(), TypeError);
        assert.equal(seen.length, 0);
      },
      wrong,
    );
  }
});

test("a caller who aborts gets what they aborted with, at once", async () => {
  await withServer(["say nothing"], async (memory, seen) => {
    const abort = new AbortController();
    const call = memory.recall("?", {}, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 50);
    await assert.rejects(call, { message: "enough" });
    await assert.rejects(memory.recall("?", {}, { signal: abort.signal }), { message: "enough" });
    assert.equal(seen.length, 1);
  });
});

test("a caller who aborts does not wait for the next try", async () => {
  await withServer([[429, {}, { "Retry-After": "50" }]], async (memory) => {
    const signal = AbortSignal.timeout(100);
    await assert.rejects(memory.settings.get({ signal }), { name: "TimeoutError" });
  });
});

test("no answer in time is a TimeoutError, and a ConnectionError", async () => {
  await withServer(
    ["say nothing"],
    async (memory) => {
      await assert.rejects(memory.settings.get({ timeoutMs: 50 }), (error) => {
        assert.ok(error instanceof TimeoutError && error instanceof ConnectionError);
        return true;
      });
    },
    { retries: 0 },
  );
});

test("parts of an address are escaped, and never empty", async () => {
  await withServer([[200, {}]], async (memory, seen) => {
    await memory.memories.get("../../x?y=1#z");
    assert.equal(seen[0]?.url, "/api/v1/users/me/memories/..%2F..%2Fx%3Fy%3D1%23z");
    await assert.rejects(memory.memories.get(""), TypeError);
    await memory.memories.list({ limit: 5, category: null, include_inactive: true });
    assert.equal(seen[1]?.url, "/api/v1/users/me/memories?limit=5&include_inactive=true");
    await memory.call("GET /api/v1/memory/list", { query: { tag: ["x,y", "집"], limit: 5 } });
    assert.equal(seen[2]?.url, "/api/v1/memory/list?tag=x%2Cy&tag=%EC%A7%91&limit=5");
    await memory.call("GET /api/v1/memory/list", { query: { tag: [] } });
    assert.equal(seen[3]?.url, "/api/v1/memory/list");
    assert.equal(seen.length, 4);
  });
});

test("waiting grows, stays within its ceiling, and honours the server", () => {
  for (let failures = 1; failures <= 20; failures += 1) {
    const ceiling = Math.min(10_000, 300 * 2 ** (failures - 1));
    for (const chance of [0, 0.5, 1]) {
      const delay = computeDelay(undefined, failures, chance);
      assert.ok(delay >= ceiling / 2 && delay <= ceiling);
    }
  }
  const asked = new RateLimitError("", { code: "", status: 429, retryAfterMs: 7_000 });
  assert.ok(computeDelay(asked, 1, 0) >= 7_000);
  assert.ok(!canRetry(new Error("a bug"), true));
});

test("Retry-After is seconds or a date", () => {
  const now = Date.UTC(2026, 1, 8, 12);
  assert.equal(parseRetryAfter("2", now), 2_000);
  assert.equal(parseRetryAfter("Sun, 08 Feb 2026 12:00:30 GMT", now), 30_000);
  assert.equal(parseRetryAfter("Sun, 08 Feb 2026 11:00:00 GMT", now), 0);
  assert.equal(parseRetryAfter("soon", now), undefined);
  assert.equal(parseRetryAfter(null, now), undefined);
});

test("a change that is tried again does not undo a newer one", async () => {
  await withServer([AWAY, [200, {}]], async (memory, seen) => {
    const allowed = [["preference"], ["location"]];
    const both = allowed.map((allowed_categories) =>
      memory.call("PATCH /api/v1/users/me/memory-settings", {
        body: /** @type {any} */ ({ allowed_categories }),
      }),
    );
    await Promise.all(both);
    assert.deepEqual(
      seen.map(({ body }) => body.allowed_categories),
      [allowed[0], allowed[0], allowed[1]],
    );
  });
});

test("a change that fails keeps no later one back", async () => {
  await withServer(
    [AWAY, [200, {}]],
    async (memory, seen) => {
      const [failed, made] = await Promise.allSettled([
        memory.call("DELETE /api/v1/users/me/profile"),
        memory.call("PATCH /api/v1/users/me/profile", { body: { name: "영광" } }),
      ]);
      assert.deepEqual([failed.status, made.status], ["rejected", "fulfilled"]);
      assert.equal(seen.length, 2);
    },
    { retries: 0 },
  );
});

test("a change that waits its turn is aborted at once, and those behind it wait on", async () => {
  await withServer([AWAY, [200, {}]], async (memory, seen) => {
    const change = (/** @type {string} */ name, /** @type {AbortSignal} */ signal) =>
      memory.call("PATCH /api/v1/users/me/profile", { body: { name }, signal });
    const [none, abort] = [new AbortController().signal, new AbortController()];
    const first = change("a", none);
    const second = change("b", abort.signal);
    const third = change("c", none);
    while (seen.length === 0) await sleep(1);
    abort.abort(new Error("enough"));
    await assert.rejects(second, { message: "enough" });
    assert.equal(seen.length, 1, "the first waits to be tried again");
    await Promise.all([first, third]);
    assert.deepEqual(
      seen.map(({ body }) => body.name),
      ["a", "a", "c"],
    );
    await assert.rejects(change("d", abort.signal), { message: "enough" });
  });
});

test("a change waits its turn no longer than for an answer", async () => {
  /** @type {Promise<string>} */
  const never = new Promise(() => {});
  await withServer(
    [[200, {}]],
    async (memory, seen) => {
      void memory.settings.update({ is_enabled: true });
      await assert.rejects(memory.settings.update({ is_enabled: false }, { timeoutMs: 50 }), TimeoutError);
      assert.equal(seen.length, 0);
    },
    { token: undefined, getToken: () => never },
  );
});
