import { parseConfig, sensitive, url } from '@bascule/process';
import { DataSource } from 'typeorm';
import { DeadLetters } from './dead-letters.js';

const USAGE = `Usage: DATABASE_URL=<of the service's role> node dead-letters.command.js list | replay <id>…\n`;

/** For an operator: what a service gave up, and another try for it. */
async function run([action, ...ids]: string[]): Promise<number> {
  const isValid = action === 'list' || (action === 'replay' && ids.length > 0);
  if (!isValid || !ids.every((id) => /^\d+$/.test(id))) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { DATABASE_URL } = parseConfig(process.env, { DATABASE_URL: sensitive(url()) });
  const dataSource = await new DataSource({
    type: 'postgres',
    url: DATABASE_URL,
    installExtensions: false,
  }).initialize();
  try {
    const deadLetters = new DeadLetters(dataSource);
    return action === 'list' ? await list(deadLetters) : await replay(deadLetters, ids);
  } finally {
    await dataSource.destroy();
  }
}

async function list(deadLetters: DeadLetters): Promise<number> {
  for (const letter of await deadLetters.list())
    process.stdout.write(`${JSON.stringify(letter)}\n`);
  return 0;
}

async function replay(deadLetters: DeadLetters, ids: readonly string[]): Promise<number> {
  let missing = 0;
  for (const id of ids) {
    const found = await deadLetters.replay(id);
    process.stdout.write(`${id}: ${found ? 'queued' : 'not found'}\n`);
    if (!found) missing += 1;
  }
  return missing === 0 ? 0 : 1;
}

process.exitCode = await run(process.argv.slice(2));
