/** The REST API of `gieok serve`, one attribute for each capability. */

import { Candidates, Memories, Profile } from "./memories.js";
import { Consents, Person, Settings, Summaries } from "./person.js";
import { Sessions } from "./sessions.js";
import { createKey } from "./retry.js";
import { Transport } from "./transport.js";

/** @typedef {import("../types/calls.js").CallOptions} CallOptions */
/** @typedef {import("../types/calls.js").Operation} Operation */
/** @template {Operation} K @typedef {import("../types/calls.js").Answer<K>} Answer */
/** @template {Operation} K @typedef {import("../types/calls.js").Arguments<K>} Arguments */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Body<K>>} Body */

/** Calls that answer the same when they are made again. */
const REPEATABLE = new Set(["POST /api/v1/recall", "POST /api/v1/context"]);

/** Calls that are done once under a key, which each has. */
const KEYED = new Set(["POST /api/v1/sessions/{session_id}/turns"]);

/** Methods that say what is so from now on: the last call has to stay the last. */
const SETTING = new Set(["PUT", "PATCH", "DELETE"]);

/**
 * What answers something else than JSON.
 *
 * @type {Partial<Record<Operation, string>>}
 */
const ANSWER_TYPES = { "GET /api/v1/users/me/export/{token}": "application/x-ndjson" };

/** A person's memory, on a server. */
export class Gieok {
  #transport;
  /** @type {Map<string, Promise<unknown>>} The last change under way of each address. */
  #changes = new Map();

  /**
   * @param {import("./transport.js").ClientOptions} options `url` is the server's, and a
   *   token or key says whose memory it is.
   */
  constructor(options) {
    this.#transport = new Transport(options);
    this.sessions = new Sessions(this, this.#transport);
    this.memories = new Memories(this);
    this.candidates = new Candidates(this);
    this.profile = new Profile(this);
    this.settings = new Settings(this);
    this.consents = new Consents(this);
    this.summaries = new Summaries(this);
    this.person = new Person(this);
  }

  /**
   * Make any call of the API, such as `call("GET /api/v1/users/me/audit")`.
   *
   * @template {Operation} K
   * @param {K} operation
   * @param {{} extends Arguments<K> ? [options?: Arguments<K>] : [options: Arguments<K>]} given
   * @returns {Promise<Answer<K>>}
   */
  async call(operation, ...given) {
    const [method = "", template = ""] = operation.split(" ");
    const { path, query, body, signal, timeoutMs, key } = /** @type {LooseArguments} */ (given[0] ?? {});
    const address = template.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(requirePart(name, path?.[name])),
    );
    const send = () => this.#transport.send(method, address, {
      query,
      body,
      signal,
      timeoutMs,
      key: key ?? (KEYED.has(operation) ? createKey() : undefined),
      isRepeatable: method !== "POST" || REPEATABLE.has(operation) || KEYED.has(operation),
      answerType: ANSWER_TYPES[operation],
    });
    const answer = await (SETTING.has(method) ? this.#sendInTurn(address, send, { signal, timeoutMs }) : send());
    return /** @type {Answer<K>} */ (answer);
  }

  /**
   * Send a change once the one before it of the same address is done, however often that
   * is tried: done again later, it would undo this one. One that is aborted, or too late,
   * before its turn has come is not sent; those behind it wait on.
   *
   * @param {string} address
   * @param {() => Promise<unknown>} send
   * @param {CallOptions} options
   * @returns {Promise<unknown>}
   */
  #sendInTurn(address, send, options) {
    const before = this.#changes.get(address);
    const change = before === undefined ? send() : this.#transport.waitForTurn(before, options).then(send);
    const turn = Promise.allSettled([before, change]);
    this.#changes.set(address, turn);
    void turn.then(() => {
      if (this.#changes.get(address) === turn) this.#changes.delete(address);
    });
    return change;
  }

  /**
   * Search what was said and is known, best first.
   *
   * @param {string} query
   * @param {Omit<Body<"POST /api/v1/recall">, "query">} [how]
   * @param {CallOptions} [options]
   */
  recall(query, how, options) {
    return this.call("POST /api/v1/recall", { ...options, body: { ...how, query } });
  }

  /**
   * Return the block of memory for the prompt that answers an utterance.
   *
   * @param {string} query
   * @param {Omit<Body<"POST /api/v1/context">, "query">} [how]
   * @param {CallOptions} [options]
   */
  context(query, how, options) {
    return this.call("POST /api/v1/context", { ...options, body: { ...how, query } });
  }

  /**
   * Return a persona's reply, with a server whose model talks. It is not tried again when
   * the connection breaks; sent again with the same `key`, a message that was answered is
   * answered as before.
   *
   * @param {Body<"POST /api/v1/chat/send">} message
   * @param {CallOptions} [options]
   */
  chat(message, options) {
    return this.call("POST /api/v1/chat/send", { ...options, body: message });
  }
}

/**
 * @typedef {CallOptions & {
 *   path?: Record<string, string>, query?: Record<string, unknown>, body?: unknown
 * }} LooseArguments
 */

/**
 * @param {string} name
 * @param {string | undefined} value
 * @returns {string}
 */
function requirePart(name, value) {
  // An empty part would make it another address.
  if (!value) throw new TypeError(`${name} is missing`);
  return value;
}
