/** One request over HTTP: who calls, in which language, for how long, how often. */

import { Credentials } from "./credentials.js";
import {
  AuthenticationError,
  ConnectionError,
  GieokError,
  NotFoundError,
  TimeoutError,
  readError,
} from "./errors.js";
import { canRetry, computeDelay, sleep } from "./retry.js";

/**
 * @typedef {object} TransportOptions
 * @property {string} url Where the server is.
 * @property {"ko" | "en"} [language] Of what errors say; by default the browser's.
 * @property {number} [timeoutMs] For one attempt; 30 seconds by default.
 * @property {number} [retries] How often a call is tried again; 3 by default.
 * @property {(url: string, init: RequestInit) => Promise<Response>} [fetch] Another `fetch`.
 */

/** @typedef {TransportOptions & import("./credentials.js").CredentialOptions} ClientOptions */

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, unknown>} [query]
 * @property {unknown} [body] Sent as JSON.
 * @property {AbortSignal} [signal]
 * @property {AbortSignal} [stop] Ends the trying again; a try under way is waited for.
 * @property {number} [timeoutMs]
 * @property {boolean} [isRepeatable] Whether doing it twice is as good as once.
 * @property {string} [key] A UUID of the call's own, by which the server does it once.
 * @property {boolean} [keepalive] Whether it outlives its page, where it is small enough.
 * @property {string} [answerType] Its answer's content type, by default JSON's; another is
 *   returned as text.
 */

/**
 * Most bytes that are sent to outlive their page: browsers refuse more than 64 KiB, of all
 * requests under way together.
 */
export const KEEPALIVE_BYTES = 60_000;
const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const NO_CONTENT = 204;
const JSON_TYPE = "application/json";
const UTF8 = new TextEncoder();
let keptAlive = 0;

/**
 * Return how many bytes a text is in UTF-8.
 *
 * @param {string} text
 * @returns {number}
 */
export function countBytes(text) {
  return UTF8.encode(text).length;
}

/** Sends requests. */
export class Transport {
  #options;
  #credentials;

  /** @param {ClientOptions} options */
  constructor(options) {
    this.#options = options;
    this.#credentials = new Credentials(options);
  }

  /** The server's address, without a slash at its end. */
  get url() {
    return this.#options.url.replace(/\/+$/, "");
  }

  /** Who calls. */
  get credentials() {
    return this.#credentials;
  }

  /**
   * Return what the server answers: its JSON, text of another type that was asked for,
   * undefined for nothing.
   *
   * An answer of another type, such as a proxy's page, is a `GieokError` (`not_json`):
   * it says nothing of what became of the request.
   *
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<unknown>}
   */
  async send(method, path, options = {}) {
    const { isRepeatable = method !== "POST" && method !== "PATCH" } = options;
    const url = `${this.url}${path}${encodeQuery(options.query)}`;
    const text = options.body === undefined ? undefined : JSON.stringify(options.body);
    let keepalive = options.keepalive ?? false;
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#sendAuthorized(method, url, text, { ...options, keepalive });
      } catch (error) {
        // The try before has deleted it, and only its answer was lost.
        if (method === "DELETE" && failures > 1 && error instanceof NotFoundError) return undefined;
        const isLast = failures > (this.#options.retries ?? RETRIES);
        if (isLast || !canRetry(error, isRepeatable)) throw error;
        // A browser that will not keep it alive says no more than that it failed.
        if (error instanceof ConnectionError) keepalive = false;
        await sleep(computeDelay(error, failures), options.signal, options.stop);
        if (options.stop?.aborted) throw error;
      }
    }
  }

  /**
   * Wait until a call before has ended, as long as for an answer; throws where the caller
   * aborts, or it takes too long.
   *
   * @param {Promise<unknown>} before
   * @param {Pick<RequestOptions, "signal" | "timeoutMs">} options
   * @returns {Promise<void>}
   */
  async waitForTurn(before, { signal, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS }) {
    const limit = new Deadline(timeoutMs, signal);
    const isOver = new Promise((_, reject) => {
      limit.signal.addEventListener("abort", reject, { once: true });
      if (limit.signal.aborted) reject();
    });
    try {
      await Promise.race([before, isOver]);
    } catch (error) {
      throw limit.explain(error);
    } finally {
      limit.clear();
    }
  }

  /**
   * @param {string} method
   * @param {string} url
   * @param {string | undefined} text
   * @param {RequestOptions} options
   */
  async #sendAuthorized(method, url, text, options) {
    const had = this.#credentials.getToken();
    const token = had instanceof Promise ? await had : had;
    try {
      return await this.#sendOnce(method, url, text, token, options);
    } catch (error) {
      if (!(error instanceof AuthenticationError && this.#credentials.canRefresh)) throw error;
      await this.#credentials.replaceToken(token);
      const fresh = await this.#credentials.getToken();
      if (fresh === token) throw error;
      return await this.#sendOnce(method, url, text, fresh, options);
    }
  }

  /**
   * @param {string} method
   * @param {string} url
   * @param {string | undefined} text
   * @param {string | undefined} token
   * @param {RequestOptions} options
   */
  async #sendOnce(method, url, text, token, options) {
    const { language, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = this.#options;
    // Made here, what no header may hold is its caller's TypeError, and not "no answer".
    const headers = new Headers({
      ...(text === undefined ? {} : { "Content-Type": JSON_TYPE }),
      ...(language === undefined ? {} : { "Accept-Language": language }),
      ...(options.key === undefined ? {} : { "Idempotency-Key": options.key }),
      ...this.#credentials.buildHeaders(token),
    });
    const limit = new Deadline(options.timeoutMs ?? timeoutMs, options.signal);
    const size = options.keepalive && text !== undefined ? countBytes(text) : 0;
    const keepalive = size > 0 && keptAlive + size <= KEEPALIVE_BYTES;
    if (keepalive) keptAlive += size;
    try {
      const response = await fetch(url, {
        method,
        headers,
        body: text ?? null,
        signal: limit.signal,
        keepalive,
        credentials: "omit",
        cache: "no-store",
      });
      if (!response.ok) throw await readError(response);
      return parseAnswer(response, await response.text(), options.answerType);
    } catch (error) {
      throw limit.explain(error);
    } finally {
      if (keepalive) keptAlive -= size;
      limit.clear();
    }
  }
}

/** Aborts a request in time, or when its caller does. */
class Deadline {
  #controller = new AbortController();
  #isLate = false;
  #timer;
  #caller;
  #ms;

  /**
   * @param {number} ms
   * @param {AbortSignal | undefined} caller
   */
  constructor(ms, caller) {
    this.#ms = ms;
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#controller.abort();
    }, ms);
    caller?.addEventListener("abort", this.#follow);
    if (caller?.aborted) this.#follow();
  }

  #follow = () => this.#controller.abort(this.#caller?.reason);

  get signal() {
    return this.#controller.signal;
  }

  clear() {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#follow);
  }

  /**
   * Return what is to be thrown for what a request threw.
   *
   * @param {unknown} error
   * @returns {unknown}
   */
  explain(error) {
    if (error instanceof GieokError) return error;
    if (this.#caller?.aborted) return this.#caller.reason;
    if (this.#isLate) {
      return new TimeoutError(`No answer in ${this.#ms} ms.`, { code: "timeout", cause: error });
    }
    return new ConnectionError("The server did not answer.", { code: "connection", cause: error });
  }
}

/**
 * @param {Response} response
 * @param {string} text
 * @param {string} [answerType]
 * @returns {unknown}
 */
function parseAnswer(response, text, answerType = JSON_TYPE) {
  if (response.status === NO_CONTENT) return undefined;
  const [type = ""] = (response.headers.get("content-type") ?? "").split(/[;,]/);
  if (type.trim().toLowerCase() !== answerType) {
    throw new GieokError("The answer is a page, and not the server's.", { code: "not_json" });
  }
  if (answerType !== JSON_TYPE) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GieokError("The answer is not valid JSON.", { code: "not_json", cause: error });
  }
}

/**
 * @param {Record<string, unknown> | undefined} query What is undefined or null is left out;
 *   of a list each value goes by itself.
 * @returns {string}
 */
function encodeQuery(query = {}) {
  const all = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  const given = all.filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [String(name), String(value)])).toString();
  return text && `?${text}`;
}
