/** Saves of what is remembered of one learner: one at a time, and the last is the last. */

import { isFinal } from "./refusals.js";

/** @typedef {import("./tutor.js").TutorMemory} TutorMemory */
/** @typedef {{ success: boolean }} Saved */

/**
 * @typedef {object} Save
 * @property {TutorMemory} memory
 * @property {AbortController} stop Ends the trying again, once there is a newer one.
 * @property {(saved: Saved) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** Sends the newest, and an older one where the newer ones are refused for good. */
export class SaveQueue {
  /** @type {Save[]} Oldest first; one that gave way stays until a newer one is done. */
  #waiting = [];
  #isSending = false;
  #send;

  /**
   * @param {(memory: TutorMemory, stop: AbortSignal) => Promise<Saved>} send Makes a save
   *   until `stop` ends the trying; a try under way it waits for.
   */
  constructor(send) {
    this.#send = send;
  }

  /**
   * Save once the try under way has ended: the server may still be doing it.
   *
   * @param {TutorMemory} memory
   * @returns {Promise<Saved>} Of the newer one, where this gave way to it.
   */
  add(memory) {
    return new Promise((resolve, reject) => {
      this.#waiting.at(-1)?.stop.abort();
      this.#waiting.push({ memory, stop: new AbortController(), resolve, reject });
      if (!this.#isSending) void this.#sendAll();
    });
  }

  async #sendAll() {
    this.#isSending = true;
    for (let save = this.#waiting.at(-1); save !== undefined; save = this.#waiting.at(-1)) {
      await this.#sendOne(save);
    }
    this.#isSending = false;
  }

  /** @param {Save} save */
  async #sendOne(save) {
    try {
      const saved = await this.#send(save.memory, save.stop.signal);
      for (const done of this.#takeUntil(save)) done.resolve(saved);
    } catch (error) {
      if (isFinal(error)) {
        this.#remove(save);
        save.reject(error);
      } else if (this.#waiting.at(-1) === save) {
        for (const failed of this.#takeUntil(save)) failed.reject(error);
      }
    }
  }

  /**
   * Return a save with those to whose place it came, which wait no longer.
   *
   * @param {Save} save
   */
  #takeUntil(save) {
    return this.#waiting.splice(0, this.#waiting.indexOf(save) + 1);
  }

  /** @param {Save} save */
  #remove(save) {
    this.#waiting.splice(this.#waiting.indexOf(save), 1);
    const older = this.#waiting.at(-1);
    if (older?.stop.signal.aborted) older.stop = new AbortController();
  }
}
