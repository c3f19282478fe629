import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturedRequest, CapturingServer } from '@bascule/testing';

/** Fee of the solver for each order. */
export const SOLVER_FEE = 100_000n;

/** Fake solver that quotes; tests fill its orders. */
export class SimulatedSolver {
  answers: 'quotes' | 'refusals' | 'outages' = 'quotes';
  /** Answers instead of these, when set. */
  misbehaves: (() => CannedResponse | Promise<CannedResponse>) | null = null;

  private constructor(private readonly server: CapturingServer) {}

  static async start(): Promise<SimulatedSolver> {
    const simulated: { solver?: SimulatedSolver } = {};
    const server = await startCapturingServer(({ body }) => {
      if (simulated.solver?.misbehaves) return simulated.solver.misbehaves();
      const { status, answer } = simulated.solver?.answer(body) ?? { status: 503, answer: {} };
      return { status, body: JSON.stringify(answer) };
    });
    simulated.solver = new SimulatedSolver(server);
    return simulated.solver;
  }

  get url(): string {
    return this.server.url;
  }

  get requests(): readonly CapturedRequest[] {
    return this.server.requests;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private answer(body: Buffer): { status: number; answer: object } {
    if (this.answers === 'outages') return { status: 503, answer: {} };
    if (this.answers === 'refusals') {
      const error = { code: 'amount_too_high', message: 'more than there is' };
      return { status: 422, answer: { error } };
    }
    const { amount }: { amount: string } = JSON.parse(body.toString());
    const output = BigInt(amount) - SOLVER_FEE;
    return { status: 200, answer: { output_amount: output.toString(), fill_seconds: 2 } };
  }
}
