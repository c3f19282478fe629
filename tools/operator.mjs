// `npm run operator -- …`: organisations and keys. Beside the embedded stack no environment is needed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const local = process.env.STACK_DIRECTORY ?? join(import.meta.dirname, '../.local');
const secrets = join(local, 'secrets.json');
if (!process.env.DATABASE_URL && existsSync(secrets)) {
  const { rolePassword } = JSON.parse(readFileSync(secrets, 'utf8'));
  const port = process.env.POSTGRES_PORT ?? 54329;
  process.env.DATABASE_URL = `postgres://bascule_gateway:${rolePassword}@127.0.0.1:${port}/postgres`;
}
await import('../apps/gateway/dist/operator.command.js');
