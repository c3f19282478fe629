import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@bascule/local-stack';
import { connectClient, databaseConfig, type DatabaseConfig } from '@bascule/persistence';
import { Reloadable } from '@bascule/process';
import { generate } from 'selfsigned';
import { webhookDispatchService } from '../../apps/webhook-dispatch/dist/index.js';
import { SecretCipher } from '../../apps/webhook-dispatch/dist/secrets/secret-cipher.js';
import { secretContext } from '../../apps/webhook-dispatch/dist/secrets/secret-context.js';
import { newSigningSecret } from '../../apps/webhook-dispatch/dist/secrets/signing-secret.js';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startChild, type Child } from '../lib/child.js';
import { startDatabase, type BenchDatabase } from '../lib/database.js';

const ROOT = resolve(import.meta.dirname, '../..');
const LOADER = ['--import', join(ROOT, 'tools/source-loader.mjs')];
const SECRET_KEYS = [{ kid: 'bench', k: randomBytes(32).toString('base64url') }];
const run = promisify(execFile);

export interface Stage {
  server: BenchDatabase;
  client: pg.Client;
  database: DatabaseConfig;
  ports: number[];
  service: Child;
  webhooks: { id: string; orgId: string }[];
  received(): Promise<number>;
  /** When each payment was told of, in milliseconds. */
  times(): Promise<Record<string, number>>;
  floor(env: Record<string, string>): Promise<number>;
  end(): Promise<void>;
}

/** The service as a deployment runs it, receivers over TLS, and one webhook of an organisation at each of them. */
export async function startStage(receivers: number): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-webhooks-'));
  const pem = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, pem.cert);
  const controlPort = await freePort();
  const control = `http://127.0.0.1:${controlPort}`;
  const targets = await startChild(
    [...LOADER, join(ROOT, 'bench/webhooks/receivers.ts')],
    {
      RECEIVERS: String(receivers),
      TLS_KEY: pem.private,
      TLS_CERT: pem.cert,
      CONTROL_PORT: String(controlPort),
    },
    `${control}/`,
  );
  const read = async <T>(path: string): Promise<T> => (await fetch(control + path)).json() as T;
  const { ports } = await read<{ ports: number[] }>('/');

  const server = await startDatabase();
  const database = await server.provision('webhook_dispatch');
  const port = await freePort();
  const operationsPort = await freePort();
  const env = {
    ...serviceEnvironment(database.url, port, caFile),
    OPERATIONS_PORT: String(operationsPort),
  };
  await webhookDispatchService.migrate?.(webhookDispatchService.parseConfig(env));
  const client = await connectClient({ connectionString: database.url });
  await client.query('SET search_path = webhook_dispatch');
  const webhooks = await registerWebhooks(client, ports);
  const service = await startChild(
    [join(ROOT, 'bundle/webhook-dispatch.js')],
    env,
    `http://127.0.0.1:${operationsPort}/health/ready`,
  );
  return {
    server,
    client,
    database: databaseConfig(
      { DATABASE_URL: new Reloadable(database.url), DATABASE_POOL_SIZE: 8 },
      'webhook_dispatch',
    ),
    ports,
    service,
    webhooks,
    received: async () => (await read<{ received: number }>('/')).received,
    times: () => read('/times'),
    floor: async (floorEnv) => {
      const { stdout } = await run(
        process.execPath,
        [...LOADER, join(ROOT, 'bench/webhooks/floor.ts')],
        { env: { ...floorEnv, NODE_EXTRA_CA_CERTS: caFile, PORTS: JSON.stringify(ports) } },
      );
      return Number(stdout);
    },
    end: async () => {
      await service.stop();
      await targets.stop();
      await client.end();
      await server.remove();
      await rm(directory, { recursive: true });
    },
  };
}

function serviceEnvironment(url: string, port: number, caFile: string): Record<string, string> {
  const { publicKey } = generateKeyPairSync('ed25519');
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    LOG_REQUESTS: 'false',
    ENVIRONMENT: 'bench',
    NODE_ENV: 'production',
    SHUTDOWN_GRACE_MS: '0',
    DATABASE_URL: url,
    INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench' }],
    }),
    WEBHOOK_SECRET_KEYS: JSON.stringify(SECRET_KEYS),
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    // All receivers are on one host here.
    WEBHOOK_CONCURRENCY_PER_HOST: '256',
    NODE_EXTRA_CA_CERTS: caFile,
  };
}

async function registerWebhooks(
  client: pg.Client,
  ports: readonly number[],
): Promise<{ id: string; orgId: string }[]> {
  const cipher = new SecretCipher(SECRET_KEYS);
  const webhooks = ports.map((port) => ({ id: uuidv7(), orgId: uuidv7(), port }));
  for (const { id, orgId, port } of webhooks) {
    await client.query(
      `INSERT INTO webhooks (id, org_id, label, url, event_types)
       VALUES ($1, $2, 'bench', $3, '{WORKFLOW_COMPLETED,WORKFLOW_FAILED}')`,
      [id, orgId, `https://127.0.0.1:${port}/hook`],
    );
    await client.query(
      'INSERT INTO webhook_signing_secrets (id, webhook_id, sealed) VALUES ($1, $2, $3)',
      [uuidv7(), id, cipher.seal(newSigningSecret(), secretContext(id, 'signing_secret'))],
    );
  }
  return webhooks;
}
