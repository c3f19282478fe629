import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Starts a process that reports the modules it loaded and the sockets it opened. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  import { Socket } from 'node:net';
  const loaded = [];
  registerHooks({
    resolve(specifier, context, next) {
      const source = specifier.startsWith('.') ? specifier.replace(/\\.js$/, '.ts') : specifier;
      const found = next(context.parentURL?.endsWith('.ts') ? source : specifier, context);
      loaded.push(found.url);
      return found;
    },
  });
  let sockets = 0;
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    sockets += 1;
    return Reflect.apply(connect, this, args);
  };
  const { parseConfig } = await import(${here('../parse-config.ts')});
  const { startTracing } = await import(${here('./start-tracing.ts')});
  const { tracingEnv } = await import(${here('./tracing-config.ts')});
  const { continueTrace, withSpan } = await import(${here('./spans.ts')});
  const service = { name: 'test', instanceId: '1', environment: 'test', logger: { warn() {} } };
  const stop = await startTracing(parseConfig(process.env, tracingEnv), service);
  const entry = { service: 'test', name: 'x', attributes: {}, traceparent: undefined };
  await continueTrace(entry, () => withSpan('y', {}, async () => 1));
  await stop();
  const names = loaded.map((url) => /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url)?.[1]);
  console.log(JSON.stringify({ packages: [...new Set(names.filter(Boolean))], sockets }));`;

function run(env: Record<string, string>): { packages: string[]; sockets: number } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--experimental-transform-types', '--no-warnings', '--input-type=module', '-e', PROGRAM],
    { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { packages: string[]; sockets: number };
}

describe('tracing', () => {
  it('without an endpoint loads no SDK and opens no socket', () => {
    expect(run({})).toEqual({ packages: ['@opentelemetry/api'], sockets: 0 });
  });

  it('with one does both', () => {
    const { packages, sockets } = run({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(packages).toContain('@opentelemetry/sdk-trace');
    expect(sockets).toBeGreaterThan(0);
  });
});
