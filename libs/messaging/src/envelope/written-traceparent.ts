// An object whose first members are texts; `createEnvelope` writes `data`, the one that is none, last.
const TRACEPARENT = /^\{(?:"\w+":"(?:[^"\\]|\\.)*",)*?"traceparent":"([^"]*)"/;

/** Of a serialised envelope, without parsing what it carries. */
export const writtenTraceparent = (envelope: string): string | undefined =>
  TRACEPARENT.exec(envelope)?.[1];
