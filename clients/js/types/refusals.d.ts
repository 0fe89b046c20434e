/** What the server says of what it does not take, and whether it may yet. */
/**
 * Tell whether sending it again could not help.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export declare function isFinal(error: unknown): boolean;
/**
 * Tell whether what is said after a part may be sent before it is taken.
 *
 * What was said later has to arrive later, unless the part does not come again.
 *
 * @param {unknown} error What became of the part.
 * @param {boolean} isKept Whether it waits in the outbox.
 * @returns {boolean}
 */
export declare function canPassOver(error: unknown, isKept: boolean): boolean;
