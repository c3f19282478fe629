import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { ConfigurationError } from '../configuration-error.js';
import { parseConfig } from '../parse-config.js';
import { integer, makeValidator, reloadable, secret, sensitive, str } from '../validators.js';
import { FileWatch } from './file-watch.js';
import { readVariableFile, UnreadableFileError } from './read-variable-file.js';
import { parsedVariables } from './file-variables.js';

const HIDDEN = 'hunter2-hunter2';

const keyIds = (value: { kids: string[] }): string[] => value.kids;
const jsonKeys = makeValidator<{ kids: string[] }>((text) => {
  const value = JSON.parse(text) as { kids?: unknown };
  if (!Array.isArray(value.kids) || value.kids.length === 0) throw new Error(`no keys in ${text}`);
  return { kids: value.kids.map(String) };
});
const specs = {
  API_KEY: secret(),
  PORT: integer({ min: 0, default: 1 }),
  LABEL: str({ default: 'none' }),
  KEYS: reloadable(sensitive(jsonKeys({ default: { kids: ['default'] } })), keyIds),
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bascule-files-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function file(content: string | Uint8Array, name = 'value'): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    parseConfig(env, specs);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

describe('a variable with the suffix _FILE', () => {
  it('has the content of its file without trailing line breaks, for secrets and for others', () => {
    const env = { API_KEY_FILE: file(`${HIDDEN}\n`, 'key'), PORT_FILE: file('8080\r\n', 'port') };
    const config = parseConfig(env, specs);
    expect([config.API_KEY, config.PORT, config.LABEL]).toEqual([HIDDEN, 8080, 'none']);
  });

  it('is never printed, not even where the variable is no secret', () => {
    const config = parseConfig({ API_KEY: 'k', LABEL_FILE: file(HIDDEN) }, specs);
    expect(config.LABEL).toBe(HIDDEN);
    expect(inspect(config) + JSON.stringify(config)).not.toContain(HIDDEN);
  });

  it('is refused beside the variable itself', () => {
    expect(problemsOf({ API_KEY: 'other', API_KEY_FILE: file(HIDDEN) })).toEqual([
      'both API_KEY and API_KEY_FILE are set; remove one',
    ]);
  });

  it('reports a missing, empty, too large, binary or irregular file by the name of the variable', () => {
    const missing = join(directory, HIDDEN);
    expect(problemsOf({ API_KEY_FILE: missing })).toEqual([
      'API_KEY_FILE: could not read the file (ENOENT)',
    ]);
    expect(problemsOf({ API_KEY_FILE: file('\n\n') })).toEqual(['API_KEY_FILE: the file is empty']);
    expect(problemsOf({ API_KEY_FILE: file('x'.repeat(64 * 1024 + 1)) })).toEqual([
      'API_KEY_FILE: the file is larger than 65536 bytes',
    ]);
    expect(problemsOf({ API_KEY_FILE: file('x'.repeat(64 * 1024)) })).toEqual([]);
    expect(problemsOf({ API_KEY_FILE: file(Uint8Array.of(0xff, 0xfe)) })).toEqual([
      'API_KEY_FILE: the file is not UTF-8',
    ]);
    expect(problemsOf({ API_KEY_FILE: directory })).toEqual([
      'API_KEY_FILE: expected a regular file',
    ]);
  });

  it('reports an invalid content without it, also of a variable that is no secret', () => {
    const problems = problemsOf({ API_KEY_FILE: missingOf(), PORT_FILE: file(HIDDEN) });
    expect(problems).toEqual([
      'API_KEY_FILE: could not read the file (ENOENT)',
      'PORT: is not valid',
    ]);
  });

  it('belongs to a variable of its own where one has that name', () => {
    const named = { LIST: str({ default: undefined }), LIST_FILE: str({ default: undefined }) };
    const parsed = parseConfig({ LIST_FILE: '/list' }, named);
    expect([parsed.LIST, parsed.LIST_FILE]).toEqual([undefined, '/list']);
  });
});

const missingOf = (): string => join(directory, 'missing');

describe('the alerts', () => {
  it('select metrics that a service with a file exposes', async () => {
    const rules = readFileSync(resolve('libs/process/alerts.yaml'), 'utf8');
    const names = [...rules.matchAll(/expr: .*?(secret_\w+)/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    const env = { API_KEY_FILE: file(HIDDEN) };
    parseConfig(env, specs);
    const registry = new Registry();
    new FileWatch(parsedVariables(env), pino({ level: 'silent' }), registry);
    const page = await registry.metrics();
    for (const name of names) expect(page).toContain(`${name}{variable="API_KEY"} 0`);
  });
});

describe('a changed file', () => {
  const env = (variables: Record<string, string>) => ({ API_KEY: 'k', ...variables });

  function watch(variables: Record<string, string>) {
    const given = env(variables);
    const config = parseConfig(given, specs);
    const lines: string[] = [];
    const registry = new Registry();
    const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const watching = new FileWatch(parsedVariables(given), logger, registry);
    const metric = async (name: string, labels: Record<string, string>) => {
      const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
      return values.find((each) =>
        Object.entries(labels).every(([label, value]) => each.labels[label] === value),
      )?.value;
    };
    return { config, lines, metric, poll: () => watching.poll() };
  }
  const kidsOf = (watched: ReturnType<typeof watch>) => watched.config.KEYS.current.kids;

  it('replaces the value in use, its derived values and the names of its keys', async () => {
    const path = file('{"kids":["a"]}');
    const watched = watch({ KEYS_FILE: path });
    const { config, poll, metric } = watched;
    const first = config.KEYS.map(({ kids }) => kids[0]);
    expect([kidsOf(watched), first.current]).toEqual([['a'], 'a']);
    expect(await metric('secret_keys', { variable: 'KEYS', kid: 'a', position: 'first' })).toBe(1);
    file('{"kids":["b","a"]}');
    await poll();
    expect([kidsOf(watched), first.current]).toEqual([['b', 'a'], 'b']);
    expect(await metric('secret_reloads_total', { outcome: 'applied' })).toBe(1);
    expect(await metric('secret_keys', { kid: 'a', position: 'other' })).toBe(1);
    expect(await metric('secret_keys', { kid: 'b', position: 'first' })).toBe(1);
    await poll();
    expect(await metric('secret_reloads_total', { outcome: 'applied' })).toBe(1);
  });

  it('is noticed behind symbolic links that are exchanged, as Kubernetes does', async () => {
    const version = (name: string, content: string): void => {
      mkdirSync(join(directory, name));
      file(content, join(name, 'keys'));
      symlinkSync(name, join(directory, 'next'));
      renameSync(join(directory, 'next'), join(directory, '..data'));
    };
    version('..1', '{"kids":["a"]}');
    symlinkSync(join('..data', 'keys'), join(directory, 'keys'));
    const watched = watch({ KEYS_FILE: join(directory, 'keys') });
    await watched.poll();
    version('..2', '{"kids":["b"]}');
    rmSync(join(directory, '..1'), { recursive: true });
    await watched.poll();
    expect(kidsOf(watched)).toEqual(['b']);
  });

  it.each([
    ['not valid', () => file(`{"kids":[],"secret":"${HIDDEN}"}`), 'KEYS: is not valid'],
    ['empty', () => file(''), 'KEYS_FILE: the file is empty'],
    ['too large', () => file(HIDDEN.repeat(10_000)), 'KEYS_FILE: the file is larger'],
    ['gone', () => rmSync(join(directory, 'value')), 'KEYS_FILE: could not read the file (ENOENT)'],
  ])(
    'keeps the value when it is %s, and is logged once without its content',
    async (_, break_, text) => {
      const watched = watch({ KEYS_FILE: file('{"kids":["a"]}') });
      const { poll, metric, lines } = watched;
      break_();
      await poll();
      await poll();
      expect(kidsOf(watched)).toEqual(['a']);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(text);
      expect(lines[0]).toContain('"level":50');
      expect(lines[0]).not.toContain(HIDDEN);
      expect(await metric('secret_file_invalid', { variable: 'KEYS' })).toBe(1);
      expect(await metric('secret_reloads_total', { outcome: 'rejected' })).toBe(1);
      file('{"kids":["c"]}');
      await poll();
      expect(kidsOf(watched)).toEqual(['c']);
      expect(await metric('secret_file_invalid', { variable: 'KEYS' })).toBe(0);
    },
  );

  it('is read again after the system refused to, although the file is the same', async () => {
    const given = env({ KEYS_FILE: file('{"kids":["a"]}') });
    const config = parseConfig(given, specs);
    const registry = new Registry();
    let isRefused = true;
    const watching = new FileWatch(
      parsedVariables(given),
      pino({ level: 'silent' }),
      registry,
      (path) => {
        if (isRefused) throw new UnreadableFileError('could not read the file (EMFILE)');
        return readVariableFile(path);
      },
    );
    file('{"kids":["b"]}');
    await watching.poll();
    await watching.poll();
    expect(config.KEYS.current.kids).toEqual(['a']);
    expect(await registry.metrics()).toContain(
      'secret_reloads_total{variable="KEYS",outcome="rejected"} 1',
    );
    isRefused = false;
    await watching.poll();
    expect(config.KEYS.current.kids).toEqual(['b']);
    expect(await registry.metrics()).toContain('secret_file_invalid{variable="KEYS"} 0');
  });

  it('is reported where it needs a restart, until the file has the old value again', async () => {
    const { config, poll, metric, lines } = watch({ LABEL_FILE: file('old', 'label') });
    file('new', 'label');
    await poll();
    await poll();
    expect(config.LABEL).toBe('old');
    expect(await metric('secret_restart_required', { variable: 'LABEL' })).toBe(1);
    expect(lines).toHaveLength(1);
    file('old\n', 'label');
    await poll();
    expect(await metric('secret_restart_required', { variable: 'LABEL' })).toBe(0);
  });
});
