/** The calls about what is known: memories, claims, the card. */

/** @typedef {import("../types/calls.js").CallOptions} CallOptions */
/** @typedef {import("../types/calls.js").Operation} Operation */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Body<K>>} Body */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Query<K>>} Query */
/** @typedef {import("./gieok.js").Gieok} Gieok */
/** @typedef {import("../types/openapi.js").CardField} CardField */
/** @typedef {import("../types/openapi.js").Category} Category */

/** What is known of the person. */
export class Memories {
  #gieok;

  /** @param {Gieok} gieok */
  constructor(gieok) {
    this.#gieok = gieok;
  }

  /**
   * Return a page of memories, newest first.
   *
   * @param {Query<"GET /api/v1/users/me/memories">} [query]
   * @param {CallOptions} [options]
   */
  list(query, options) {
    return this.#gieok.call("GET /api/v1/users/me/memories", { ...options, query });
  }

  /**
   * Return a memory with its source and its history.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  get(id, options) {
    return this.#gieok.call("GET /api/v1/users/me/memories/{memory_id}", { ...options, path: { memory_id: id } });
  }

  /**
   * Remember a fact; one that is known is confirmed instead.
   *
   * @param {string} content
   * @param {{ category?: Category }} [how]
   * @param {CallOptions} [options]
   */
  remember(content, how, options) {
    return this.#gieok.call("POST /api/v1/users/me/memories", { ...options, body: { ...how, content } });
  }

  /**
   * Say what is true instead of a memory; return the one that says it now, with an id of its own.
   *
   * @param {string} id
   * @param {string} content
   * @param {{ category?: Category }} [how]
   * @param {CallOptions} [options]
   */
  correct(id, content, how, options) {
    const path = { memory_id: id };
    return this.#gieok.call("PATCH /api/v1/users/me/memories/{memory_id}", { ...options, path, body: { ...how, content } });
  }

  /**
   * Erase one memory for good.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  forget(id, options) {
    return this.#gieok.call("DELETE /api/v1/users/me/memories/{memory_id}", { ...options, path: { memory_id: id } });
  }

  /**
   * Erase what a wish names, such as "forget where I live".
   *
   * @param {string} wish
   * @param {CallOptions} [options]
   */
  forgetAbout(wish, options) {
    return this.#gieok.call("POST /api/v1/users/me/memories/forget", { ...options, body: { about: wish } });
  }

  /**
   * Erase every memory.
   *
   * @param {CallOptions} [options]
   */
  forgetAll(options) {
    return this.#gieok.call("DELETE /api/v1/users/me/memories", { ...options });
  }

  /**
   * Take a memory out of use without losing it.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  deactivate(id, options) {
    const path = { memory_id: id };
    return this.#gieok.call("POST /api/v1/users/me/memories/{memory_id}/deactivate", { ...options, path });
  }

  /**
   * Put a memory back in use.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  reactivate(id, options) {
    const path = { memory_id: id };
    return this.#gieok.call("POST /api/v1/users/me/memories/{memory_id}/reactivate", { ...options, path });
  }
}

/** Claims that wait for the person's word. */
export class Candidates {
  #gieok;

  /** @param {Gieok} gieok */
  constructor(gieok) {
    this.#gieok = gieok;
  }

  /**
   * Return claims, newest first.
   *
   * @param {Query<"GET /api/v1/users/me/memory-candidates">} [query]
   * @param {CallOptions} [options]
   */
  list(query, options) {
    return this.#gieok.call("GET /api/v1/users/me/memory-candidates", { ...options, query });
  }

  /**
   * Carry out a claim, because the person says so.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  confirm(id, options) {
    const path = { candidate_id: id };
    return this.#gieok.call("POST /api/v1/users/me/memory-candidates/{candidate_id}/confirm", { ...options, path });
  }

  /**
   * Refuse a claim for good.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   */
  reject(id, options) {
    const path = { candidate_id: id };
    return this.#gieok.call("POST /api/v1/users/me/memory-candidates/{candidate_id}/reject", { ...options, path });
  }
}

/** The card of the person: name, occupation, interests, … */
export class Profile {
  #gieok;

  /** @param {Gieok} gieok */
  constructor(gieok) {
    this.#gieok = gieok;
  }

  /**
   * Return the card, each value with what it rests on.
   *
   * @param {CallOptions} [options]
   */
  get(options) {
    return this.#gieok.call("GET /api/v1/users/me/profile", { ...options });
  }

  /**
   * Add to the card: lists grow, single values are replaced.
   *
   * @param {Body<"PATCH /api/v1/users/me/profile">} card
   * @param {CallOptions} [options]
   */
  merge(card, options) {
    return this.#gieok.call("PATCH /api/v1/users/me/profile", { ...options, body: card });
  }

  /**
   * Make this the card; other values are erased.
   *
   * @param {Body<"PUT /api/v1/users/me/profile">} card
   * @param {CallOptions} [options]
   */
  replace(card, options) {
    return this.#gieok.call("PUT /api/v1/users/me/profile", { ...options, body: card });
  }

  /**
   * Erase a place of the card, or one value of it, with the memories it rests on.
   *
   * @param {CardField} field
   * @param {string} [value]
   * @param {CallOptions} [options]
   */
  forget(field, value, options) {
    return this.#gieok.call("DELETE /api/v1/users/me/profile", { ...options, query: { field, value } });
  }
}
