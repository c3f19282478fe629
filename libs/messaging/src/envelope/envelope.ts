import { dataschemaOf, type EventEnvelope, type TopicDefinition } from '@bascule/contracts';
import { currentTraceparent } from '@bascule/process';
import { v7 as uuidv7 } from 'uuid';

/** Event to publish: `data` is the whole public state of its subject, with its `version`. */
export interface NewEvent {
  topic: TopicDefinition;
  type: string;
  /** Id of the subject. */
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
