import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { UTC_TIMESTAMP, UUID } from './formats.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Message {
  headers: { $ref: string };
  payload: { $ref: string };
}
interface Description {
  channels: Record<string, { messages: Record<string, object> }>;
  components: {
    messages: Record<string, Message>;
    schemas: Record<string, { properties?: { source?: { enum?: string[] } } }>;
  };
}

const FILE = new URL('../../docs/api/asyncapi.json', import.meta.url);

/** Events and webhooks as `docs/api/asyncapi.json` describes them. */
export class DescribedMessages {
  private readonly ajv = new Ajv({ allErrors: true, strict: false });
  private readonly description: Description;

  constructor(text = readFileSync(FILE, 'utf8')) {
    this.description = JSON.parse(text) as Description;
    for (const [name, isValid] of Object.entries({ uuid: UUID, 'date-time': UTC_TIMESTAMP })) {
      this.ajv.addFormat(name, isValid);
    }
    this.ajv.addSchema(JSON.parse(text, (_, value: Json) => closed(value)) as object, 'described');
  }

  /** Types of the messages of topics, and of deliveries to webhooks. */
  types(of: 'events' | 'webhooks'): string[] {
    return Object.entries(this.description.channels)
      .filter(([name]) => (name === 'webhook') === (of === 'webhooks'))
      .flatMap(([, { messages }]) => Object.keys(messages));
  }

  /** Names of the services that publish events. */
  publishers(): Set<string> {
    const payloads = Object.values(this.description.components.schemas);
    return new Set(payloads.flatMap(({ properties }) => properties?.source?.enum ?? []));
  }

  /** Violations of a body that is sent under a type; fields that are not described count. */
  payloadProblems(type: string, payload: unknown): string[] {
    const message = this.description.components.messages[type];
    return message === undefined
      ? [`${type} is not described`]
      : this.problems(message.payload, payload);
  }

  /** Violations of the headers beside such a body; further headers are allowed. */
  headerProblems(type: string, headers: unknown): string[] {
    const message = this.description.components.messages[type];
    if (message === undefined) return [`${type} is not described`];
    return this.problems(message.headers, headers).filter(
      (problem) => !problem.endsWith(' is not described'),
    );
  }

  private problems({ $ref }: { $ref: string }, value: unknown): string[] {
    const validate = this.ajv.getSchema(`described${$ref}`);
    if (validate === undefined) throw new Error(`Expected a schema at ${$ref}, found none.`);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, keyword, message = '', params }) =>
      keyword === 'additionalProperties'
        ? `${instancePath}/${String(params.additionalProperty)} is not described`
        : `${instancePath || '/'} ${message}`,
    );
  }
}

/** Refuses undescribed fields, which consumers must tolerate and services must not publish. */
function closed(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isOpen =
    value.type === 'object' && 'properties' in value && !('additionalProperties' in value);
  return isOpen ? { ...value, additionalProperties: false } : value;
}
