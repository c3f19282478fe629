// An object whose first members are texts; `createEnvelope` writes `data`, the one that is none, last.
const TRACEPARENT = /^\{(?:"\w+":"(?:[^"\\]|\\.)*",)*?"traceparent":"([^"]*)"/;

/** Reads the `traceparent` of a serialised envelope without parsing its data. */
export const writtenTraceparent = (envelope: string): string | undefined =>
  TRACEPARENT.exec(envelope)?.[1];
