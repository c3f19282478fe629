/** A CloudEvents 1.0 JSON envelope around a fact. */
export interface EventEnvelope<Type extends string = string, Data = unknown> {
  /** Version of CloudEvents. */
  specversion: '1.0';
  /**
   * UUIDv7, unique per fact; the inbox de-duplicates on it.
   * @format uuid
   */
  id: string;
  /** The service that states the fact. */
  source: string;
  /** Kind of the fact. */
  type: Type;
  /** The id of the thing the fact is about; also the record's key. */
  subject: string;
  /**
   * Time of the fact: ISO 8601 in UTC, with milliseconds.
   * @format date-time
   */
  time: string;
  /** Media type of `data`. */
  datacontenttype: 'application/json';
  /** `bascule:<topic>:<version>`; absent in the oldest events, which are of version 1. */
  dataschema?: string;
  /** Name of the deployment; services refuse events of another one. */
  environment: string;
  /** W3C trace context of the request that led to the fact; absent without a trace. */
  traceparent?: string;
  /** The whole public state of the subject after the fact. */
  data: Data;
}

/** The whole public state of a thing carries the version of that state; projections keep the newest. */
export interface Versioned {
  /**
   * Grows with each change of the subject; an older version than the known one is ignored.
   * @asType integer
   */
  version: number;
}
