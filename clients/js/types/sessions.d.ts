/** The calls about conversations. */
export type CallOptions = import("../types/calls.js").CallOptions;
export type Operation = import("../types/calls.js").Operation;
export type Body<K extends Operation> = NonNullable<import("../types/calls.js").Body<K>>;
export type Query<K extends Operation> = NonNullable<import("../types/calls.js").Query<K>>;
export type Gieok = import("./gieok.js").Gieok;
export type Transport = import("./transport.js").Transport;
/** @typedef {import("../types/calls.js").CallOptions} CallOptions */
/** @typedef {import("../types/calls.js").Operation} Operation */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Body<K>>} Body */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Query<K>>} Query */
/** @typedef {import("./gieok.js").Gieok} Gieok */
/** @typedef {import("./transport.js").Transport} Transport */
/** Conversations as they happen. */
export declare class Sessions {
    #private;
    /**
     * @param {Gieok} gieok
     * @param {Transport} transport
     */
    constructor(gieok: Gieok, transport: Transport);
    /**
     * Start a conversation.
     *
     * @param {Body<"POST /api/v1/sessions">} [session]
     * @param {CallOptions} [options]
     */
    start(session?: Body<"POST /api/v1/sessions">, options?: CallOptions): Promise<import("../types/openapi.js").SessionView>;
    /**
     * Return a page of conversations, newest first.
     *
     * @param {Query<"GET /api/v1/sessions">} [query]
     * @param {CallOptions} [options]
     */
    list(query?: Query<"GET /api/v1/sessions">, options?: CallOptions): Promise<import("../types/openapi.js").SessionList>;
    /**
     * Return a conversation with its messages, a thousand at most; `query` goes on from there.
     *
     * @param {string} id
     * @param {CallOptions & { query?: Query<"GET /api/v1/sessions/{session_id}"> }} [options]
     */
    get(id: string, options?: CallOptions & {
        query?: Query<"GET /api/v1/sessions/{session_id}">;
    }): Promise<import("../types/openapi.js").SessionDetail>;
    /**
     * Record what both sides said; once it resolves, it survives a crash. It is recorded
     * once, however often it is tried again; give a `key` of your own to do so yourself.
     *
     * @param {string} id
     * @param {Body<"POST /api/v1/sessions/{session_id}/turns">} turn
     * @param {CallOptions} [options]
     */
    record(id: string, turn: Body<"POST /api/v1/sessions/{session_id}/turns">, options?: CallOptions): Promise<import("../types/openapi.js").PairView>;
    /**
     * Record one message.
     *
     * @param {string} id
     * @param {Body<"POST /api/v1/sessions/{session_id}/messages">} message
     * @param {CallOptions} [options]
     */
    append(id: string, message: Body<"POST /api/v1/sessions/{session_id}/messages">, options?: CallOptions): Promise<import("../types/openapi.js").MessageView>;
    /**
     * Stop a conversation until it is resumed.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    pause(id: string, options?: CallOptions): Promise<import("../types/openapi.js").SessionView>;
    /**
     * Go on with a paused conversation.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    resume(id: string, options?: CallOptions): Promise<import("../types/openapi.js").SessionView>;
    /**
     * End a conversation; what was said in it is extracted at once.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    close(id: string, options?: CallOptions): Promise<import("../types/openapi.js").SessionView>;
    /**
     * Erase a conversation and what was learned from it alone.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    delete(id: string, options?: CallOptions): Promise<undefined>;
    /**
     * Return how far what was said has been read into memory.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    reading(id: string, options?: CallOptions): Promise<import("../types/openapi.js").ReadingView>;
    /**
     * Yield what happens in a conversation until it is over.
     *
     * @param {string} id
     * @param {import("./events.js").FollowOptions} [options]
     */
    follow(id: string, options?: import("./events.js").FollowOptions): AsyncGenerator<import("../types/openapi.js").SessionEvent, void, void>;
}
