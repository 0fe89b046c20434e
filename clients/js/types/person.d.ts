/** The calls about the person: settings, consents, summaries, all of it. */
export type CallOptions = import("../types/calls.js").CallOptions;
export type Operation = import("../types/calls.js").Operation;
export type Body<K extends Operation> = NonNullable<import("../types/calls.js").Body<K>>;
export type Query<K extends Operation> = NonNullable<import("../types/calls.js").Query<K>>;
export type Gieok = import("./gieok.js").Gieok;
/** @typedef {import("../types/calls.js").CallOptions} CallOptions */
/** @typedef {import("../types/calls.js").Operation} Operation */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Body<K>>} Body */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Query<K>>} Query */
/** @typedef {import("./gieok.js").Gieok} Gieok */
/** What the person allows. */
export declare class Settings {
    #private;
    /** @param {Gieok} gieok */
    constructor(gieok: Gieok);
    /**
     * Return the settings.
     *
     * @param {CallOptions} [options]
     */
    get(options?: CallOptions): Promise<import("../types/openapi.js").MemorySettings>;
    /**
     * Change some settings and return all.
     *
     * @param {Body<"PATCH /api/v1/users/me/memory-settings">} changes
     * @param {CallOptions} [options]
     */
    update(changes: Body<"PATCH /api/v1/users/me/memory-settings">, options?: CallOptions): Promise<import("../types/openapi.js").MemorySettings>;
    /**
     * Return what is remembered, in numbers.
     *
     * @param {CallOptions} [options]
     */
    usage(options?: CallOptions): Promise<import("../types/openapi.js").MemoryUsage>;
}
/** What the person agreed to. */
export declare class Consents {
    #private;
    /** @param {Gieok} gieok */
    constructor(gieok: Gieok);
    /**
     * Return what was agreed to, and when.
     *
     * @param {CallOptions} [options]
     */
    get(options?: CallOptions): Promise<import("../types/openapi.js").ConsentList>;
    /**
     * Give or withdraw consents.
     *
     * @param {Body<"PUT /api/v1/users/me/consents">} consents
     * @param {CallOptions} [options]
     */
    put(consents: Body<"PUT /api/v1/users/me/consents">, options?: CallOptions): Promise<import("../types/openapi.js").ConsentList>;
}
/** What conversations, days and weeks were about. */
export declare class Summaries {
    #private;
    /** @param {Gieok} gieok */
    constructor(gieok: Gieok);
    /**
     * Return the summary of a conversation.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    session(id: string, options?: CallOptions): Promise<import("../types/openapi.js").SummedUp>;
    /**
     * Return the summaries of days, newest first.
     *
     * @param {Query<"GET /api/v1/summaries/days">} [query]
     * @param {CallOptions} [options]
     */
    days(query?: Query<"GET /api/v1/summaries/days">, options?: CallOptions): Promise<import("../types/openapi.js").DaySummaryList>;
    /**
     * Return the summaries of weeks, newest first.
     *
     * @param {Query<"GET /api/v1/summaries/weeks">} [query]
     * @param {CallOptions} [options]
     */
    weeks(query?: Query<"GET /api/v1/summaries/weeks">, options?: CallOptions): Promise<import("../types/openapi.js").WeekSummaryList>;
}
/** The person themselves. */
export declare class Person {
    #private;
    /** @param {Gieok} gieok */
    constructor(gieok: Gieok);
    /**
     * Return who they are to the server.
     *
     * @param {CallOptions} [options]
     */
    get(options?: CallOptions): Promise<import("../types/openapi.js").PersonView>;
    /**
     * Change language or time zone.
     *
     * @param {Body<"PATCH /api/v1/users/me">} changes
     * @param {CallOptions} [options]
     */
    change(changes: Body<"PATCH /api/v1/users/me">, options?: CallOptions): Promise<import("../types/openapi.js").PersonView>;
    /**
     * Erase everything of the person; the receipt is among `erasure-receipts`.
     *
     * @param {CallOptions} [options]
     */
    erase(options?: CallOptions): Promise<undefined>;
    /**
     * Return everything of the person as JSON lines.
     *
     * @param {CallOptions} [options]
     */
    export(options?: CallOptions): Promise<string>;
}
