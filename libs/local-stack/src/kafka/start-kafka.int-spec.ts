import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, PortInUseError } from '../ports.js';
import { isAlive } from '../processes.js';
import { classArchive, isUsable } from './class-archive.js';
import { prepareKafka, removeKafka, startKafka, stopKafka } from './start-kafka.js';

const directory = mkdtempSync(join(tmpdir(), 'bascule-kafka-'));

describe('startKafka', () => {
  afterAll(() => removeKafka(directory));

  it('starts a broker, adopts a running one and reuses the address after a kill', async () => {
    const first = await startKafka({ directory });
    const [pid = 0] = first.pids();
    expect(first).toMatchObject({ adopted: false, saslBrokers: [], tlsBrokers: [] });

    const second = await startKafka({ directory });
    expect(second).toMatchObject({ adopted: true, brokers: first.brokers });
    expect(second.pids()).toEqual([pid]);

    await second.kill();
    expect(isAlive(pid)).toBe(false);
    await second.restart();
    expect(second.pids()).not.toEqual([pid]);
    expect(second.pids()).toHaveLength(1);

    await stopKafka(directory);
    expect(second.pids()).toEqual([]);
    const third = await startKafka({ directory });
    expect(third).toMatchObject({ adopted: false, brokers: first.brokers });
    await third.stop();
  });

  it('starts a broker from an archive of its classes, and refuses one that is cut short', async () => {
    await prepareKafka(join(directory, 'first'));
    expect(await isUsable(classArchive())).toBe(true);
    const cut = join(directory, 'cut.jsa');
    writeFileSync(cut, readFileSync(classArchive()).subarray(0, 20_000_000));
    expect(await isUsable(cut)).toBe(false);

    const kafka = await startKafka({ directory });
    const [pid = 0] = kafka.pids();
    expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).toContain(classArchive());
    await kafka.stop();
  });

  it('refuses a busy port with an error that contains it', async () => {
    const squatter = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    try {
      const start = startKafka({ directory: join(directory, 'other'), port });
      await expect(start).rejects.toThrow(PortInUseError);
      await expect(start).rejects.toThrow(`port ${port}`);
    } finally {
      squatter.close();
    }
  });
});
