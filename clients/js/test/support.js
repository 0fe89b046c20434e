/** What tests share: a server that answers what a test wants, and the real one's people. */

import { createServer } from "node:http";
import { connect, createServer as createLine } from "node:net";

/**
 * @typedef {object} Seen
 * @property {string | undefined} method
 * @property {string | undefined} url
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {any} body
 */

/**
 * Start a server that answers one thing after the other, and the last again and again.
 *
 * @param {...([status: number, body: unknown, headers?: Record<string, string>] | "hang up" | "say nothing")} answers
 */
export async function startServer(...answers) {
  /** @type {Seen[]} */
  const seen = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: text && JSON.parse(text) });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === "hang up") request.socket.destroy();
    else if (answer !== "say nothing") {
      const [status, body, more = {}] = answer ?? [500, ""];
      const isText = typeof body === "string";
      response.writeHead(status, { "Content-Type": isText ? "text/html" : "application/json", ...more });
      response.end(isText ? body : JSON.stringify(body));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      this.stop();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Start a line to a server that a test can cut.
 *
 * @param {string} url
 */
export async function startLine(url) {
  const { hostname, port } = new URL(url);
  /** @type {Set<import("node:net").Socket>} */
  const ends = new Set();
  const line = createLine((near) => {
    const far = connect(Number(port), hostname);
    for (const end of [near, far]) {
      ends.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => [near, far].forEach((each) => each.destroy()));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise((resolve) => line.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (line.address());
  const cut = () => ends.forEach((end) => end.destroy());
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    stop() {
      cut();
      line.close();
    },
  };
}

/**
 * Return sockets that tell events and close with a code, each the next of those given.
 *
 * @param {...[events: object[], code: number]} lives
 */
export function scriptSockets(...lives) {
  /** @type {{ address: string, opening: any }[]} */
  const opened = [];
  class ScriptedSocket {
    onmessage = (/** @type {{ data: string }} */ _) => {};
    onclose = (/** @type {{ code: number }} */ _) => {};
    close() {}
    /**
     * @param {string} address
     * @param {any} opening
     */
    constructor(address, opening) {
      opened.push({ address, opening });
      const [events, code] = lives.shift() ?? [[], 4500];
      setTimeout(() => {
        for (const event of events) this.onmessage({ data: JSON.stringify(event) });
        this.onclose({ code });
      });
    }
  }
  return { opened, WebSocket: /** @type {any} */ (ScriptedSocket) };
}

/** A storage as browsers have it, with room for so many characters. */
export class MemoryStorage {
  /** @type {Map<string, string>} */
  #kept = new Map();

  constructor(room = Infinity) {
    this.room = room;
  }

  get length() {
    return this.#kept.size;
  }

  /** @param {number} index */
  key(index) {
    return [...this.#kept.keys()][index] ?? null;
  }

  /** @param {string} key */
  getItem(key) {
    return this.#kept.get(key) ?? null;
  }

  /**
   * @param {string} key
   * @param {string} value
   */
  setItem(key, value) {
    if (value.length > this.room) throw new DOMException("full", "QuotaExceededError");
    this.#kept.set(key, value);
  }

  /** @param {string} key */
  removeItem(key) {
    this.#kept.delete(key);
  }
}

/** A call of four messages, in which somebody says who they are. */
export const CALL = /** @type {import("../src/index.js").TutorMessage[]} */ ([
  { role: "user", content: "Hi, my name is 영광. I'm a developer." },
  { role: "assistant", content: "Nice to meet you, 영광! What do you develop?" },
  { role: "user", content: "I work on backend systems. I'm interested in AI." },
  { role: "assistant", content: "Python is great for backend!" },
]);
