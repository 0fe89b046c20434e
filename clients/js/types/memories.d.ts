/** The calls about what is known: memories, claims, the card. */
export type CallOptions = import("../types/calls.js").CallOptions;
export type Operation = import("../types/calls.js").Operation;
export type Body<K extends Operation> = NonNullable<import("../types/calls.js").Body<K>>;
export type Query<K extends Operation> = NonNullable<import("../types/calls.js").Query<K>>;
export type Gieok = import("./gieok.js").Gieok;
export type CardField = import("../types/openapi.js").CardField;
export type Category = import("../types/openapi.js").Category;
/** @typedef {import("../types/calls.js").CallOptions} CallOptions */
/** @typedef {import("../types/calls.js").Operation} Operation */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Body<K>>} Body */
/** @template {Operation} K @typedef {NonNullable<import("../types/calls.js").Query<K>>} Query */
/** @typedef {import("./gieok.js").Gieok} Gieok */
/** @typedef {import("../types/openapi.js").CardField} CardField */
/** @typedef {import("../types/openapi.js").Category} Category */
/** What is known of the person. */
export declare class Memories {
    #private;
    /** @param {Gieok} gieok */
    constructor(gieok: Gieok);
    /**
     * Return a page of memories, newest first.
     *
     * @param {Query<"GET /api/v1/users/me/memories">} [query]
     * @param {CallOptions} [options]
     */
    list(query?: Query<"GET /api/v1/users/me/memories">, options?: CallOptions): Promise<import("../types/openapi.js").MemoryList>;
    /**
     * Return a memory with its source and its history.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    get(id: string, options?: CallOptions): Promise<import("../types/openapi.js").MemoryDetail>;
    /**
     * Remember a fact; one that is known is confirmed instead.
     *
     * @param {string} content
     * @param {{ category?: Category }} [how]
     * @param {CallOptions} [options]
     */
    remember(content: string, how?: {
        category?: Category;
    }, options?: CallOptions): Promise<import("../types/openapi.js").UserMemory>;
    /**
     * Say what is true instead of a memory; return the one that says it now, with an id of its own.
     *
     * @param {string} id
     * @param {string} content
     * @param {{ category?: Category }} [how]
     * @param {CallOptions} [options]
     */
    correct(id: string, content: string, how?: {
        category?: Category;
    }, options?: CallOptions): Promise<import("../types/openapi.js").UserMemory>;
    /**
     * Erase one memory for good.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    forget(id: string, options?: CallOptions): Promise<undefined>;
    /**
     * Erase what a wish names, such as "forget where I live".
     *
     * @param {string} wish
     * @param {CallOptions} [options]
     */
    forgetAbout(wish: string, options?: CallOptions): Promise<import("../types/openapi.js").WishFulfilled>;
    /**
     * Erase every memory.
     *
     * @param {CallOptions} [options]
     */
    forgetAll(options?: CallOptions): Promise<undefined>;
    /**
     * Take a memory out of use without losing it.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    deactivate(id: string, options?: CallOptions): Promise<undefined>;
    /**
     * Put a memory back in use.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    reactivate(id: string, options?: CallOptions): Promise<import("../types/openapi.js").UserMemory>;
}
/** Claims that wait for the person's word. */
export declare class Candidates {
    #private;
    /** @param {Gieok} gieok */
    constructor(gieok: Gieok);
    /**
     * Return claims, newest first.
     *
     * @param {Query<"GET /api/v1/users/me/memory-candidates">} [query]
     * @param {CallOptions} [options]
     */
    list(query?: Query<"GET /api/v1/users/me/memory-candidates">, options?: CallOptions): Promise<import("../types/openapi.js").CandidateList>;
    /**
     * Carry out a claim, because the person says so.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    confirm(id: string, options?: CallOptions): Promise<import("../types/openapi.js").Confirmed>;
    /**
     * Refuse a claim for good.
     *
     * @param {string} id
     * @param {CallOptions} [options]
     */
    reject(id: string, options?: CallOptions): Promise<undefined>;
}
/** The card of the person: name, occupation, interests, … */
export declare class Profile {
    #private;
    /** @param {Gieok} gieok */
    constructor(gieok: Gieok);
    /**
     * Return the card, each value with what it rests on.
     *
     * @param {CallOptions} [options]
     */
    get(options?: CallOptions): Promise<import("../types/openapi.js").ProfileCard>;
    /**
     * Add to the card: lists grow, single values are replaced.
     *
     * @param {Body<"PATCH /api/v1/users/me/profile">} card
     * @param {CallOptions} [options]
     */
    merge(card: Body<"PATCH /api/v1/users/me/profile">, options?: CallOptions): Promise<import("../types/openapi.js").ProfileCard>;
    /**
     * Make this the card; other values are erased.
     *
     * @param {Body<"PUT /api/v1/users/me/profile">} card
     * @param {CallOptions} [options]
     */
    replace(card: Body<"PUT /api/v1/users/me/profile">, options?: CallOptions): Promise<import("../types/openapi.js").ProfileCard>;
    /**
     * Erase a place of the card, or one value of it, with the memories it rests on.
     *
     * @param {CardField} field
     * @param {string} [value]
     * @param {CallOptions} [options]
     */
    forget(field: CardField, value?: string, options?: CallOptions): Promise<undefined>;
}
