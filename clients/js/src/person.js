/** The calls about the person: settings, consents, summaries, all of it. */

/** @typedef {import("../types/calls.js").CallOptions} CallOptions */
/** @typedef {import("../types/calls.js").Operation} Operation */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Body<K>>} Body */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Query<K>>} Query */
/** @typedef {import("./gieok.js").Gieok} Gieok */

/** What the person allows. */
export class Settings {
  #gieok;

  /** @param {Gieok} gieok */
  constructor(gieok) {
    this.#gieok = gieok;
  }

  /**
   * Return the settings.
   *
   * @param {CallOptions} [options]
   */
  get(options) {
    return this.#gieok.call("GET /api/v1/users/me/memory-settings", { ...options });
  }

  /**
   * Change some settings and return all.
   *
   * @param {Body<"PATCH /api/v1/users/me/memory-settings">} changes
   * @param {CallOptions} [options]
   */
  update(changes, options) {
    return this.#gieok.call("PATCH /api/v1/users/me/memory-settings", { ...options, body: changes });
  }

  /**
   * Return what is remembered, in numbers.
   *
   * @param {CallOptions} [options]
   */
  usage(options) {
    return this.#gieok.call("GET /api/v1/users/me/memory-usage", { ...options });
  }
}

/** What the person agreed to. */
export class Consents {
  #gieok;

  /** @param {Gieok} gieok */
  constructor(gieok) {
    this.#gieok = gieok;
  }

  /**
   * Return what was agreed to, and when.
   *
   * @param {CallOptions} [options]
   */
  get(options) {
    return this.#gieok.call("GET /api/v1/users/me/consents", { ...options });
  }

  /**
   * Give or withdraw consents.
   *
   * @param {Body<"PUT /api/v1/users/me/consents">} consents
   * @param {CallOptions} [options]
   */
  put(consents, options) {
    return this.#gieok.call("PUT /api/v1/users/me/consents", { ...options, body: consents });
  }
}

/** What conversations, days and weeks were about. */
export class Summaries {
  #gieok;

  /** @param {Gieok} gieok */
  constructor(gieok) {
    this.#gieok = gieok;
  }

  /**
   * Return the summary of a conversation.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  session(id, options) {
    return this.#gieok.call("GET /api/v1/sessions/{session_id}/summary", { ...options, path: { session_id: id } });
  }

  /**
   * Return the summaries of days, newest first.
   *
   * @param {Query<"GET /api/v1/summaries/days">} [query]
   * @param {CallOptions} [options]
   */
  days(query, options) {
    return this.#gieok.call("GET /api/v1/summaries/days", { ...options, query });
  }

  /**
   * Return the summaries of weeks, newest first.
   *
   * @param {Query<"GET /api/v1/summaries/weeks">} [query]
   * @param {CallOptions} [options]
   */
  weeks(query, options) {
    return this.#gieok.call("GET /api/v1/summaries/weeks", { ...options, query });
  }
}

/** The person themselves. */
export class Person {
  #gieok;

  /** @param {Gieok} gieok */
  constructor(gieok) {
    this.#gieok = gieok;
  }

  /**
   * Return who they are to the server.
   *
   * @param {CallOptions} [options]
   */
  get(options) {
    return this.#gieok.call("GET /api/v1/users/me", { ...options });
  }

  /**
   * Change language or time zone.
   *
   * @param {Body<"PATCH /api/v1/users/me">} changes
   * @param {CallOptions} [options]
   */
  change(changes, options) {
    return this.#gieok.call("PATCH /api/v1/users/me", { ...options, body: changes });
  }

  /**
   * Erase everything of the person; the receipt is among `erasure-receipts`.
   *
   * @param {CallOptions} [options]
   */
  erase(options) {
    return this.#gieok.call("DELETE /api/v1/users/me", { ...options });
  }

  /**
   * Return everything of the person as JSON lines.
   *
   * @param {CallOptions} [options]
   */
  async export(options) {
    const { path } = await this.#gieok.call("POST /api/v1/users/me/export", { ...options });
    const token = path.slice(path.lastIndexOf("/") + 1);
    return this.#gieok.call("GET /api/v1/users/me/export/{token}", { ...options, path: { token } });
  }
}
