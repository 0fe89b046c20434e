/** The calls about conversations. */

import { followSession } from "./events.js";

/** @typedef {import("../types/calls.js").CallOptions} CallOptions */
/** @typedef {import("../types/calls.js").Operation} Operation */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Body<K>>} Body */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Query<K>>} Query */
/** @typedef {import("./gieok.js").Gieok} Gieok */
/** @typedef {import("./transport.js").Transport} Transport */

/** Conversations as they happen. */
export class Sessions {
  #gieok;
  #transport;

  /**
   * @param {Gieok} gieok
   * @param {Transport} transport
   */
  constructor(gieok, transport) {
    this.#gieok = gieok;
    this.#transport = transport;
  }

  /**
   * Start a conversation.
   *
   * @param {Body<"POST /api/v1/sessions">} [session]
   * @param {CallOptions} [options]
   */
  start(session = {}, options) {
    return this.#gieok.call("POST /api/v1/sessions", { ...options, body: session });
  }

  /**
   * Return a page of conversations, newest first.
   *
   * @param {Query<"GET /api/v1/sessions">} [query]
   * @param {CallOptions} [options]
   */
  list(query, options) {
    return this.#gieok.call("GET /api/v1/sessions", { ...options, query });
  }

  /**
   * Return a conversation with its messages, a thousand at most; `query` goes on from there.
   *
   * @param {string} id
   * @param {CallOptions & { query?: Query<"GET /api/v1/sessions/{session_id}"> }} [options]
   */
  get(id, options) {
    return this.#gieok.call("GET /api/v1/sessions/{session_id}", { ...options, path: { session_id: id } });
  }

  /**
   * Record what both sides said; once it resolves, it survives a crash. It is recorded
   * once, however often it is tried again; give a `key` of your own to do so yourself.
   *
   * @param {string} id
   * @param {Body<"POST /api/v1/sessions/{session_id}/turns">} turn
   * @param {CallOptions} [options]
   */
  record(id, turn, options) {
    const path = { session_id: id };
    return this.#gieok.call("POST /api/v1/sessions/{session_id}/turns", { ...options, path, body: turn });
  }

  /**
   * Record one message.
   *
   * @param {string} id
   * @param {Body<"POST /api/v1/sessions/{session_id}/messages">} message
   * @param {CallOptions} [options]
   */
  append(id, message, options) {
    const path = { session_id: id };
    return this.#gieok.call("POST /api/v1/sessions/{session_id}/messages", { ...options, path, body: message });
  }

  /**
   * Stop a conversation until it is resumed.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  pause(id, options) {
    return this.#gieok.call("POST /api/v1/sessions/{session_id}/pause", { ...options, path: { session_id: id } });
  }

  /**
   * Go on with a paused conversation.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  resume(id, options) {
    return this.#gieok.call("POST /api/v1/sessions/{session_id}/resume", { ...options, path: { session_id: id } });
  }

  /**
   * End a conversation; what was said in it is extracted at once.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  close(id, options) {
    return this.#gieok.call("POST /api/v1/sessions/{session_id}/close", { ...options, path: { session_id: id } });
  }

  /**
   * Erase a conversation and what was learned from it alone.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  delete(id, options) {
    return this.#gieok.call("DELETE /api/v1/sessions/{session_id}", { ...options, path: { session_id: id } });
  }

  /**
   * Return how far what was said has been read into memory.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  reading(id, options) {
    return this.#gieok.call("GET /api/v1/sessions/{session_id}/reading", { ...options, path: { session_id: id } });
  }

  /**
   * Yield what happens in a conversation until it is over.
   *
   * @param {string} id
   * @param {import("./events.js").FollowOptions} [options]
   */
  follow(id, options) {
    return followSession(this.#transport, id, options);
  }
}
