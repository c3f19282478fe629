import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

describe('the process of a service', () => {
  it('stops in order and exits non-zero when a component fails permanently', async () => {
    const child = spawn(
      process.execPath,
      [
        '--conditions=@bascule/source',
        '--import',
        join(root, 'tools/jest/source-process.mjs'),
        join(import.meta.dirname, '../testing/failing-service.fixture.ts'),
      ],
      {
        env: { PATH: process.env.PATH ?? '', PORT: '0', HOST: '127.0.0.1', SHUTDOWN_GRACE_MS: '0' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let log = '';
    child.stdout.on('data', (part: Buffer) => (log += part.toString()));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect(status).toBe(1);
    expect(log).toContain('component failed: stopping');
    expect(log).toContain('the consumer stalled');
    expect(log).not.toContain('shutdown incomplete');
  });
});
