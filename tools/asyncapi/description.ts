import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describedSchemas } from './schemas.js';
import { topicPart } from './topic-part.js';
import { webhookPart } from './webhook-part.js';

const ROOT = join(import.meta.dirname, '../..');
/** The description, which equals the code. */
export const DESCRIPTION = join(ROOT, 'docs/api/asyncapi.json');
/** The description that consumers have; changes must not break them. */
export const RELEASED = join(ROOT, 'docs/api/released/asyncapi.json');

/** Types that only name others, and are not referred to. */
const COLLECTIONS = ['Envelope', 'DescribedEvents', 'WebhookDeliveryBody', 'WebhookEventType'];

/** Describes all topics and webhooks as AsyncAPI 3. */
function asyncApi(): object {
  const schemas = describedSchemas();
  const topics = topicPart(schemas);
  const webhooks = webhookPart(schemas);
  for (const name of COLLECTIONS) schemas.delete(name);
  return {
    asyncapi: '3.0.0',
    info: INFO,
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: { ...topics.channels, ...webhooks.channels },
    operations: { ...topics.operations, ...webhooks.operations },
    components: {
      messages: { ...topics.messages, ...webhooks.messages },
      schemas: { ...topics.payloads, ...webhooks.payloads, ...Object.fromEntries(schemas) },
      securitySchemes: SECURITY,
    },
  };
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

const INFO = {
  title: 'Bascule: events and webhooks',
  version,
  description:
    'Topics of the services, and webhooks of organisations. Each event carries the whole public state of its subject, ' +
    'with its `version`; it may arrive more than once, with the same `id`. Within one schema version only fields, ' +
    'events and values of enumerations are added: ignore fields that you do not know.',
  license: { name: 'Apache-2.0' },
};

const SERVERS = {
  kafka: {
    host: '{brokers}',
    protocol: 'kafka',
    description:
      'Brokers of the deployment (`KAFKA_BROKERS`): `kafka-secure` with `KAFKA_TLS`, authenticated with `KAFKA_SASL_MECHANISM`.',
    variables: {
      brokers: { description: '`host:port` of a broker.', default: 'localhost:9092' },
    },
    security: ['plain', 'scramSha256', 'scramSha512'].map((name) => ({
      $ref: `#/components/securitySchemes/${name}`,
    })),
  },
  receiver: {
    host: '{host}',
    protocol: 'https',
    description: 'Receiver of an organisation: a public host, on port 443.',
    variables: {
      host: { description: 'Host of the registered URL.', default: 'shop.example.com' },
    },
  },
};

const SECURITY = {
  plain: { type: 'plain', description: 'SASL/PLAIN.' },
  scramSha256: { type: 'scramSha256', description: 'SASL/SCRAM with SHA-256.' },
  scramSha512: { type: 'scramSha512', description: 'SASL/SCRAM with SHA-512.' },
  serviceSignature: {
    type: 'httpApiKey',
    in: 'header',
    name: 'X-Service-Signature',
    description:
      'Signature of the raw body, which the receiver verifies in constant time: `v1=0x` and the HMAC-SHA256 in ' +
      'hexadecimal, keyed with the signing secret as UTF-8. During a rotation one comma-separated entry per secret.',
  },
  standardWebhooks: {
    type: 'httpApiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'Signature of Standard Webhooks over `webhook-id`, `webhook-timestamp` and body, with the same secret.',
  },
};

/** The text of the description, as prettier formats it. */
export async function descriptionText(): Promise<string> {
  const options = await resolveConfig(DESCRIPTION);
  return format(JSON.stringify(asyncApi()), { ...options, parser: 'json' });
}
