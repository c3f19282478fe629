import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, PortInUseError } from '../ports.js';
import { isAlive } from '../processes.js';
import { answersPing } from './ping.js';
import { redisPid, removeRedis, startRedis, stopRedis } from './start-redis.js';

const directory = mkdtempSync(join(tmpdir(), 'bascule-redis-'));

describe('startRedis', () => {
  afterAll(() => removeRedis(directory));

  it('starts a server, adopts a running one and moves to another port', async () => {
    const port = await freePort();
    const first = await startRedis({ directory, port });
    expect(first).toMatchObject({ adopted: false, url: `redis://127.0.0.1:${port}` });
    expect(await startRedis({ directory, port })).toMatchObject({ adopted: true, pid: first.pid });

    const moved = await startRedis({ directory, port: await freePort() });
    expect(moved.adopted).toBe(false);
    expect(isAlive(first.pid)).toBe(false);
    expect(await answersPing(port)).toBe(false);
    await moved.stop();
    expect(redisPid(directory)).toBeNull();
  });

  it('stops a paused server', async () => {
    const { pid } = await startRedis({ directory, port: await freePort() });
    process.kill(pid, 'SIGSTOP');
    await stopRedis(directory);
    expect(isAlive(pid)).toBe(false);
  });

  it('refuses a busy port with an error that contains it', async () => {
    const squatter = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    try {
      const start = startRedis({ directory: join(directory, 'other'), port });
      await expect(start).rejects.toThrow(PortInUseError);
      await expect(start).rejects.toThrow('REDIS_PORT');
    } finally {
      squatter.close();
    }
  });
});
