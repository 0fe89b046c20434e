/** What happens in a session, as it happens, over a WebSocket (B10). */

import { ConnectionError, GieokError, createAnswerError } from "./errors.js";
import { computeDelay, sleep } from "./retry.js";

/** @typedef {import("../types/openapi.js").SessionEvent} SessionEvent */

/**
 * @typedef {object} FollowOptions
 * @property {number} [after] The position after which messages are told; -1 for all of
 *   them, and by default only what is new.
 * @property {AbortSignal} [signal]
 * @property {typeof globalThis.WebSocket} [WebSocket] Needed in Node 20, which has none.
 */

const PING_MS = 20_000;
/** A server that has not said anything for so long is not there any more. */
const SILENT_MS = 50_000;
/** How often it is tried to get in at first: there may be no such server. */
const MAX_TRIES = 8;
const NO_TOKEN = 4401;
const FROM_STATUS = 4000;

/**
 * Yield what happens in a session until it ends or is deleted.
 *
 * A connection that is lost is opened again where it was: each time, the first event is
 * `session`, which says how the session stands, and no message is told twice. So is one
 * that an app's key opened, which the server ends after a minute. It is tried until the
 * caller aborts; only who was never let in gets a `ConnectionError`, after eight tries.
 *
 * @param {import("./transport.js").Transport} transport
 * @param {string} sessionId
 * @param {FollowOptions} [options]
 * @returns {AsyncGenerator<SessionEvent, void, void>}
 */
export async function* followSession(transport, sessionId, options = {}) {
  const { signal } = options;
  let { after } = options;
  let losses = 0;
  let isRenewed = false;
  let wasLetIn = false;
  for (;;) {
    signal?.throwIfAborted();
    const { credentials } = transport;
    const token = await credentials.getToken();
    const connection = new Connection(
      buildAddress(transport.url, sessionId, after),
      buildOpening(credentials, token),
      options,
    );
    const openedAt = Date.now();
    let isLetIn = false;
    try {
      for await (const event of connection) {
        if (event.type !== "session") losses = 0;
        isRenewed = false;
        isLetIn = wasLetIn = true;
        if (event.type === "session") after = event.after;
        if (event.type === "message") after = event.position;
        yield event;
        if (event.type === "ended" || event.type === "deleted") return;
      }
    } finally {
      connection.close();
    }
    signal?.throwIfAborted();
    const { code } = connection;
    // A socket of a key's has had its minute, whatever may be wrong with the token beside it.
    if (code === NO_TOKEN && isLetIn && credentials.hasKey) continue;
    if (isLetIn && Date.now() - openedAt > PING_MS) losses = 0;
    losses += 1;
    if (code === NO_TOKEN && !isRenewed && credentials.canRefresh) {
      isRenewed = true;
      await credentials.replaceToken(token);
    } else {
      throwIfFinal(code, wasLetIn ? 0 : losses);
      await sleep(computeDelay(undefined, losses), signal);
    }
  }
}

/**
 * @param {number} code Why a socket was closed: HTTP's status + 4000, or RFC 6455's.
 * @param {number} tries How often it was tried by who was never let in.
 */
function throwIfFinal(code, tries) {
  if (code >= FROM_STATUS) {
    const status = code - FROM_STATUS;
    throw createAnswerError(`The session cannot be followed (${code}).`, {
      code: `closed_${code}`,
      status,
    });
  }
  if (code === 1008 || code === 1009 || tries >= MAX_TRIES) {
    throw new ConnectionError(`The connection was lost (${code}).`, { code: "connection" });
  }
}

/**
 * @param {string} url
 * @param {string} sessionId
 * @param {number | undefined} after
 * @returns {string}
 */
function buildAddress(url, sessionId, after) {
  const path = `/api/v1/sessions/${encodeURIComponent(sessionId)}/events`;
  const address = new URL(`${url}${path}`, globalThis.location?.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.search = after === undefined ? "" : `?after=${after}`;
  return address.href;
}

/**
 * Return what a socket is opened with, so that it says who calls.
 *
 * A browser's socket has no headers: there the token goes as the second subprotocol. A
 * key goes in headers, which sockets of servers' have.
 *
 * @param {import("./credentials.js").Credentials} credentials
 * @param {string | undefined} token
 * @returns {string[] | { headers: Record<string, string> }}
 */
function buildOpening(credentials, token) {
  if (credentials.hasKey) return { headers: credentials.buildHeaders(token) };
  return token === undefined ? [] : ["bearer", token];
}

/**
 * One socket: its events in the order in which they came.
 *
 * @implements {AsyncIterable<SessionEvent>}
 */
class Connection {
  /** Why it was closed. */
  code = 1006;
  /** @type {SessionEvent[]} */
  #waiting = [];
  #isClosed = false;
  #heardAt = Date.now();
  #wake = () => {};
  #socket;
  #timer;
  #signal;

  /**
   * @param {string} address
   * @param {ReturnType<typeof buildOpening>} opening
   * @param {FollowOptions} options
   */
  constructor(address, opening, { signal, WebSocket = globalThis.WebSocket }) {
    if (WebSocket === undefined) {
      const problem = "There is no WebSocket here: pass one, as { WebSocket }.";
      throw new GieokError(problem, { code: "no_websocket" });
    }
    this.#signal = signal;
    // The types are those of browsers, which know of subprotocols only.
    this.#socket = new WebSocket(address, /** @type {string[]} */ (opening));
    this.#socket.onmessage = ({ data }) => this.#take(String(data));
    this.#socket.onclose = ({ code }) => {
      this.code = code;
      this.close();
    };
    this.#socket.onerror = () => {}; // `onclose` follows, and says more
    this.#timer = setInterval(() => this.#ping(), PING_MS);
    signal?.addEventListener("abort", this.close);
  }

  close = () => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#signal?.removeEventListener("abort", this.close);
    this.#socket.close();
    this.#wake();
  };

  async *[Symbol.asyncIterator]() {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      else if (this.#isClosed) return;
      else await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
  }

  /** @param {string} text */
  #take(text) {
    this.#heardAt = Date.now();
    const event = /** @type {SessionEvent} */ (JSON.parse(text));
    if (event.type === "pong") return;
    this.#waiting.push(event);
    this.#wake();
  }

  #ping() {
    if (Date.now() - this.#heardAt > SILENT_MS) this.close();
    else if (this.#socket.readyState === 1) this.#socket.send('{"type": "ping"}');
  }
}
