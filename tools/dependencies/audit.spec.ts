import { describe, expect, it } from '@jest/globals';

interface Judgement {
  passed: number;
  failed: number;
  notRun?: string;
  lines: string[];
}

const { judgeAudit } = (await import(
  // @ts-expect-error scripts without types
  './audit.mjs'
)) as {
  judgeAudit(
    output: string,
    packages: Record<string, { dev?: boolean }>,
    argued?: Record<string, string>,
  ): Judgement;
};
const { Runner } = (await import(
  // @ts-expect-error scripts without types
  '../test/runner.mjs'
)) as {
  Runner: new (report: () => void) => {
    inTurn(...steps: object[]): Promise<void>;
    summary(): Promise<string[]>;
    total(): Promise<{ passed: number; failed: number }>;
  };
};

const PACKAGES = { 'node_modules/shipped': {}, 'node_modules/tool': { dev: true } };
const report = (name: string, severity: string) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: {
      [name]: {
        name,
        severity,
        via: [{ url: 'https://advisories.example/1' }],
        nodes: [`node_modules/${name}`],
      },
    },
  });
const clean = JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} });

describe('the judgement of npm audit', () => {
  it('passes a report without vulnerabilities', () => {
    expect(judgeAudit(clean, PACKAGES)).toEqual({ passed: 1, failed: 0, lines: [] });
  });

  it('fails for every vulnerability of what ships, with its advisory', () => {
    const { failed, lines } = judgeAudit(report('shipped', 'low'), PACKAGES);
    expect(failed).toBe(1);
    expect(lines).toEqual(['✗ shipped (low, ships): https://advisories.example/1']);
  });

  it('fails for a high one of a tool, not for a moderate one', () => {
    expect(judgeAudit(report('tool', 'high'), PACKAGES).failed).toBe(1);
    expect(judgeAudit(report('tool', 'moderate'), PACKAGES)).toMatchObject({
      passed: 1,
      failed: 0,
    });
  });

  it('takes an argued one', () => {
    const argued = { shipped: 'the function is not called' };
    expect(judgeAudit(report('shipped', 'high'), PACKAGES, argued).failed).toBe(0);
  });

  it.each([JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 }), '', 'no JSON'])(
    'is neither passed nor failed without a report, and says so: %s',
    (output) => {
      const { passed, failed, notRun } = judgeAudit(output, PACKAGES);
      expect({ passed, failed }).toEqual({ passed: 0, failed: 0 });
      expect(notRun).toMatch(/^NOT RUN: /);
    },
  );

  it('stands in the summary as not run', async () => {
    const runner = new Runner(() => undefined);
    const run = () => Promise.resolve(judgeAudit('', PACKAGES));
    await runner.inTurn({ name: 'audit', run });
    expect(await runner.summary()).toEqual(['audit: NOT RUN: npm audit printed no report (0 s)']);
    expect(await runner.total()).toEqual({ passed: 0, failed: 0 });
  });
});
