/** When a call is tried again, and how long after. */

import { AnswerError, ConnectionError, RateLimitError, UnavailableError } from "./errors.js";

const FIRST_MS = 300;
const LONGEST_MS = 10_000;
/** A server that asks for more patience than this is not waited for. */
export const MAX_PATIENCE_MS = 60_000;

/**
 * Return a random UUID (version 4), also on a page without TLS, which has no `randomUUID`.
 *
 * @returns {string}
 */
export function createKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Tell whether a call that failed can be tried again.
 *
 * One that changes something twice when it is done twice (`isRepeatable` false) is tried
 * again only where it was surely not done: the server had not let it in.
 *
 * @param {unknown} error
 * @param {boolean} isRepeatable
 * @returns {boolean}
 */
export function canRetry(error, isRepeatable) {
  if (error instanceof AnswerError && (error.retryAfterMs ?? 0) > MAX_PATIENCE_MS) return false;
  if (error instanceof RateLimitError) return true;
  return isRepeatable && (error instanceof ConnectionError || error instanceof UnavailableError);
}

/**
 * Return how long to wait before the next try: twice as long each time, not all callers
 * at once, and never less than the server asks for.
 *
 * @param {unknown} error
 * @param {number} failures How often it has failed, from 1.
 * @param {number} [chance] From 0 to 1.
 * @returns {number} Milliseconds.
 */
export function computeDelay(error, failures, chance = Math.random()) {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  const asked = error instanceof AnswerError ? (error.retryAfterMs ?? 0) : 0;
  return asked + ceiling * (0.5 + chance / 2);
}

/**
 * Wait.
 *
 * @param {number} ms
 * @param {AbortSignal} [signal] Ends the waiting; what it is aborted with is thrown.
 * @param {AbortSignal} [wake] Ends the waiting, and nothing is thrown.
 * @returns {Promise<void>}
 */
export function sleep(ms, signal, wake) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      wake?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, wake?.aborted ? 0 : ms);
    signal?.addEventListener("abort", end);
    wake?.addEventListener("abort", end);
  });
}
