import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

const PROGRAM = `
  import { faultPoint } from ${JSON.stringify(new URL('./fault-points.ts', import.meta.url).href)};
  for (let time = 1; time <= 3; time += 1) {
    console.log(time);
    faultPoint('outbox.published');
  }`;

function run(env: Record<string, string>) {
  const { signal, stdout } = spawnSync(
    process.execPath,
    ['--experimental-transform-types', '--no-warnings', '--input-type=module', '-e', PROGRAM],
    { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
  );
  return { signal, reached: stdout.trim().split('\n').length };
}

describe('faultPoint', () => {
  it('kills the process at the named pass of the named point', () => {
    expect(run({ FAULT_POINTS_ARMED: '1', FAULT_POINT: 'outbox.published' })).toEqual({
      signal: 'SIGKILL',
      reached: 1,
    });
    expect(run({ FAULT_POINTS_ARMED: '1', FAULT_POINT: 'outbox.published:2' })).toEqual({
      signal: 'SIGKILL',
      reached: 2,
    });
  });

  it('counts passes once the named file exists', () => {
    const env = { FAULT_POINTS_ARMED: '1', FAULT_POINT: 'outbox.published' };
    expect(run({ ...env, FAULT_POINT_FROM: import.meta.filename })).toEqual({
      signal: 'SIGKILL',
      reached: 1,
    });
    expect(run({ ...env, FAULT_POINT_FROM: '/nowhere' })).toEqual({ signal: null, reached: 3 });
  });

  it('does nothing at another point, or unless armed', () => {
    const survived = { signal: null, reached: 3 };
    expect(run({ FAULT_POINTS_ARMED: '1', FAULT_POINT: 'outbox.deleted' })).toEqual(survived);
    expect(run({ FAULT_POINT: 'outbox.published' })).toEqual(survived);
  });
});
