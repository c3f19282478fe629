// Own code: json-schema-diff compares sets of documents, so an added field and a new value of an enumeration look alike.
import { schemaProblems } from './schema-problems.js';
import type { JsonSchema } from './schema-shapes.js';

interface Reference {
  $ref: string;
}
interface Channel {
  address: string | null;
  messages: Record<string, Reference>;
  bindings?: { kafka?: { partitions: number } };
  'x-schema-version'?: number;
}
interface Message {
  contentType: string;
  headers: JsonSchema;
  payload: JsonSchema;
}

/** The parts of an AsyncAPI document that consumers rely on. */
export interface Description {
  channels: Record<string, Channel>;
  operations: Record<string, object>;
  components: { messages: Record<string, Message>; schemas: Record<string, JsonSchema> };
}

/**
 * Changes that break consumers of the released description, one line each. Within a schema version only fields, events
 * and values of enumerations are added; a topic with a higher version is not compared, webhooks have none.
 */
export function breakingChanges(released: Description, current: Description): string[] {
  return Object.entries(released.channels).flatMap(([name, before]) => {
    const now = current.channels[name];
    if (now === undefined) return [`${name}: the channel was removed`];
    const moved = movedChannel(name, before, now);
    const isRaised = (now['x-schema-version'] ?? 0) > (before['x-schema-version'] ?? 0);
    if (isRaised) return moved;
    const found = Object.keys(before.messages).flatMap((type) =>
      type in now.messages
        ? messageProblems(type, released, current)
        : [`${type}: the event was removed from ${name}`],
    );
    return [...moved, ...found.map((problem) => `${problem}${remedy(before)}`)];
  });
}

const remedy = (channel: Channel): string =>
  channel['x-schema-version'] === undefined
    ? '; receivers see no version: add a new event instead'
    : '; raise schema.version of the topic (libs/contracts/src/events/topics.ts), or undo it';

function movedChannel(name: string, before: Channel, now: Channel): string[] {
  const versions = [before['x-schema-version'] ?? 0, now['x-schema-version'] ?? 0] as const;
  return [
    ...(before.address === now.address ? [] : [`${name}: the address changed`]),
    ...(versions[1] < versions[0] ? [`${name}: the schema version was lowered`] : []),
  ];
}

function messageProblems(type: string, released: Description, current: Description): string[] {
  const before = released.components.messages[type];
  const now = current.components.messages[type];
  if (before === undefined || now === undefined) return [`${type}: the message was removed`];
  const schemas = { before: released.components.schemas, now: current.components.schemas };
  return [
    ...(before.contentType === now.contentType ? [] : [`${type}: the content type changed`]),
    ...schemaProblems(before.headers, now.headers, { place: `${type} headers`, schemas }),
    ...schemaProblems(before.payload, now.payload, { place: type, schemas }),
  ];
}
