/** A CloudEvents 1.0 JSON envelope around a fact. */
export interface EventEnvelope<Type extends string = string, Data = unknown> {
  specversion: '1.0';
  /** UUIDv7, unique per fact; the inbox de-duplicates on it. */
  id: string;
  /** The service that states the fact. */
  source: string;
  type: Type;
  /** The id of the thing the fact is about; also the record's key. */
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  /** `bascule:<topic>:<version>`; absent in the oldest events, which are of version 1. */
  dataschema?: string;
  /** Deployment of the event. */
  environment: string;
  traceparent?: string;
  data: Data;
}

/** The whole public state of a thing carries the version of that state; projections keep the newest. */
export interface Versioned {
  version: number;
}
