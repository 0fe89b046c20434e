/** What happens in a session, as it happens, over a WebSocket (B10). */
export type SessionEvent = import("../types/openapi.js").SessionEvent;
export type FollowOptions = {
    /**
     * The position after which messages are told; -1 for all of
     * them, and by default only what is new.
     */
    after?: number;
    signal?: AbortSignal;
    /**
     * Needed in Node 20, which has none.
     */
    WebSocket?: typeof globalThis.WebSocket;
};
/**
 * Yield what happens in a session until it ends or is deleted.
 *
 * A connection that is lost is opened again where it was: each time, the first event is
 * `session`, which says how the session stands, and no message is told twice. So is one
 * that an app's key opened, which the server ends after a minute. It is tried until the
 * caller aborts; only who was never let in gets a `ConnectionError`, after eight tries.
 *
 * @param {import("./transport.js").Transport} transport
 * @param {string} sessionId
 * @param {FollowOptions} [options]
 * @returns {AsyncGenerator<SessionEvent, void, void>}
 */
export declare function followSession(transport: import("./transport.js").Transport, sessionId: string, options?: FollowOptions): AsyncGenerator<SessionEvent, void, void>;
