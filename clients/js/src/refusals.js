/** What the server says of what it does not take, and whether it may yet. */

import { AnswerError } from "./errors.js";

/** What our server says of what it will never take. A proxy's pages have no such code. */
const FINAL = new Set(["body_too_large", "invalid_input", "not_permitted"]);

/** What our server says where its model takes this part in no case, but perhaps others. */
const REFUSED = "model_refused";

/** What our server says where its model is away, mostly not for long. */
const AWAY = "model_unavailable";

/**
 * Tell whether sending it again could not help.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export function isFinal(error) {
  return error instanceof AnswerError && FINAL.has(error.code);
}

/**
 * Tell whether what is said after a part may be sent before it is taken.
 *
 * What was said later has to arrive later, unless the part does not come again.
 *
 * @param {unknown} error What became of the part.
 * @param {boolean} isKept Whether it waits in the outbox.
 * @returns {boolean}
 */
export function canPassOver(error, isKept) {
  if (!(error instanceof AnswerError)) return false;
  return isFinal(error) || error.code === REFUSED || (error.code === AWAY && !isKept);
}
