import { dataschemaOf, type EventEnvelope, type TopicDefinition } from '@bascule/contracts';
import { currentTraceparent } from '@bascule/process';
import { v7 as uuidv7 } from 'uuid';

/** A fact to publish: `data` is the whole public state of the thing, with its `version`. */
export interface NewEvent {
  topic: TopicDefinition;
  type: string;
  /** The id of the thing the fact is about. */
  key: string;
  data: unknown;
}

export interface Origin {
  source: string;
  environment: string;
}

export function createEnvelope(event: NewEvent, origin: Origin): EventEnvelope {
  const traceparent = currentTraceparent();
  return {
    specversion: '1.0',
    id: uuidv7(),
    source: origin.source,
    type: event.type,
    subject: event.key,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    dataschema: dataschemaOf(event.topic),
    environment: origin.environment,
    ...(traceparent === undefined ? {} : { traceparent }),
    data: event.data,
  };
}
