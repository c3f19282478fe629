import {
  CONSUMING_SERVICES,
  dataschemaOf,
  EVENT_CONSUMERS,
  EVENT_PUBLISHERS,
  TOPICS,
  type EventType,
  type TopicDefinition,
} from '@bascule/contracts';
import type { Schema } from 'ts-json-schema-generator';
import { objectSchema, SCHEMAS, type ObjectSchema } from './schemas.js';

type Topic = keyof typeof TOPICS;
type Part = Record<string, object>;

const KAFKA_BINDING = '0.5.0';
const TOPIC_KEYS = Object.keys(TOPICS) as Topic[];
const isEventType = (type: string): type is EventType => type in EVENT_CONSUMERS;
const topicsWithEvents = TOPIC_KEYS.map((key) => {
  const types: readonly string[] = TOPICS[key].schema.types;
  return { key, topic: TOPICS[key], types: types.filter(isEventType) };
});

/** Channels, operations, messages and payloads of all topics. */
export function topicPart(schemas: ReadonlyMap<string, Schema>) {
  const channels: Part = {};
  const messages: Part = {};
  const payloads: Record<string, Schema> = {};
  const events = objectSchema(schemas, 'DescribedEvents');
  const envelope = objectSchema(schemas, 'Envelope');
  for (const { key, topic, types } of topicsWithEvents) {
    channels[key] = channelOf(topic, types);
    for (const type of types) {
      const data = events.properties[type];
      if (data === undefined) {
        throw new Error(`Expected ${type} in DescribedEvents (tools/asyncapi/described-types.ts).`);
      }
      messages[type] = messageOf(topic, type, data.description);
      payloads[type] = payloadOf(envelope, { key, type, data });
    }
  }
  return { channels, messages, payloads, operations: operations() };
}

const channelOf = (topic: TopicDefinition, types: readonly EventType[]): object => ({
  address: topic.name,
  description: `Key of a record: ${topic.key}. Records of one key keep their order. ${retention(topic)}`,
  servers: [{ $ref: '#/servers/kafka' }],
  messages: Object.fromEntries(
    types.map((type) => [type, { $ref: `#/components/messages/${type}` }]),
  ),
  bindings: {
    kafka: {
      topic: topic.name,
      partitions: topic.partitions,
      topicConfiguration: configurationOf(topic),
      bindingVersion: KAFKA_BINDING,
    },
  },
  'x-schema-version': topic.schema.version,
  'x-largest-record-bytes': topic.maxMessageBytes,
});

const DAY_MS = 86_400_000;

const retention = ({ cleanup }: TopicDefinition): string =>
  cleanup.policy === 'compact'
    ? `Compacted: the newest record of a key stays forever, every record for ${cleanup.minCompactionLagMs / DAY_MS} days.`
    : `Records stay for ${cleanup.retentionMs / DAY_MS} days.`;

const configurationOf = ({ cleanup }: TopicDefinition): object =>
  cleanup.policy === 'compact'
    ? { 'cleanup.policy': ['compact'], 'min.compaction.lag.ms': cleanup.minCompactionLagMs }
    : { 'cleanup.policy': ['delete'], 'retention.ms': cleanup.retentionMs };

const messageOf = (
  topic: TopicDefinition,
  type: EventType,
  summary: string | undefined,
): object => ({
  name: type,
  title: type,
  summary,
  contentType: 'application/cloudevents+json',
  headers: { $ref: `${SCHEMAS}EventHeaders` },
  payload: { $ref: `${SCHEMAS}${type}` },
  bindings: {
    kafka: {
      key: { type: 'string', description: `The event's subject: ${topic.key}.` },
      bindingVersion: KAFKA_BINDING,
    },
  },
});

interface DescribedEvent {
  key: Topic;
  type: EventType;
  data: Schema;
}

/** The envelope with what is known about this event. */
function payloadOf(envelope: ObjectSchema, { key, type, data }: DescribedEvent): Schema {
  const { source, subject, dataschema } = envelope.properties;
  return {
    ...envelope,
    properties: {
      ...envelope.properties,
      type: { type: 'string', const: type, description: 'Kind of the fact.' },
      source: { ...source, enum: [...EVENT_PUBLISHERS[key]] },
      subject: { ...subject, description: `Key of the record: ${TOPICS[key].key}.` },
      dataschema: { ...dataschema, const: dataschemaOf(TOPICS[key]) },
      data,
    },
    description: data.description ?? type,
  };
}

/** Operations of each service: sending to a topic, and receiving from it. */
function operations(): Part {
  const found: Part = {};
  for (const { key, types } of topicsWithEvents) {
    for (const service of EVENT_PUBLISHERS[key]) {
      found[`${service}.send.${key}`] = operation('send', service, key, types);
    }
    for (const service of CONSUMING_SERVICES) {
      const handled = types.filter((type) => EVENT_CONSUMERS[type][service] === 'handled');
      if (handled.length > 0) {
        found[`${service}.receive.${key}`] = operation('receive', service, key, handled);
      }
    }
  }
  return found;
}

const operation = (
  action: 'send' | 'receive',
  service: string,
  key: Topic,
  types: readonly EventType[],
): object => ({
  action,
  title: `${service} ${action === 'send' ? 'publishes to' : 'handles events of'} ${TOPICS[key].name}`,
  channel: { $ref: `#/channels/${key}` },
  messages: types.map((type) => ({ $ref: `#/channels/${key}/messages/${type}` })),
  tags: [{ name: service }],
});
