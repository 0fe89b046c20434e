/** When a call is tried again, and how long after. */
/** A server that asks for more patience than this is not waited for. */
export declare const MAX_PATIENCE_MS = 60000;
/**
 * Return a random UUID (version 4), also on a page without TLS, which has no `randomUUID`.
 *
 * @returns {string}
 */
export declare function createKey(): string;
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
export declare function canRetry(error: unknown, isRepeatable: boolean): boolean;
/**
 * Return how long to wait before the next try: twice as long each time, not all callers
 * at once, and never less than the server asks for.
 *
 * @param {unknown} error
 * @param {number} failures How often it has failed, from 1.
 * @param {number} [chance] From 0 to 1.
 * @returns {number} Milliseconds.
 */
export declare function computeDelay(error: unknown, failures: number, chance?: number): number;
/**
 * Wait.
 *
 * @param {number} ms
 * @param {AbortSignal} [signal] Ends the waiting; what it is aborted with is thrown.
 * @param {AbortSignal} [wake] Ends the waiting, and nothing is thrown.
 * @returns {Promise<void>}
 */
export declare function sleep(ms: number, signal?: AbortSignal, wake?: AbortSignal): Promise<void>;
