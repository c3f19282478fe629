import { developmentAddresses } from '@bascule/solidity';
import { startCapturingServer, type CannedResponse, type CapturedRequest } from '@bascule/testing';

/** Behaviour of a solver: correct, or one kind of failure. */
export type SolverBehaviour =
  | 'honest'
  | 'silent'
  | 'down'
  | 'nothing'
  | 'more'
  | 'huge'
  | 'html'
  | 'other-shape'
  | 'forever'
  | 'late'
  | 'refuses'
  /** Correct, but accepts 500 to 600 USDC only. */
  | 'picky'
  /** Correct, but keeps a seventh. */
  | 'expensive';

/** Stub with the HTTP API of `apps/solver`; bridges USDC. */
export interface StubSolver {
  url: string;
  behaviour: SolverBehaviour;
  /** Requested amounts in smallest units. */
  readonly asked: bigint[];
  stop(): Promise<void>;
}

/** Smallest units of USDC. */
const SOLVER_LIMITS = { min: '1000000', max: '100000000000' };
const PICKY_LIMITS = { min: '500000000', max: '600000000' };
const FLAT_FEE = 10_000n;
const FEE_BPS = 5n;
export const FILL_SECONDS = 7;
/** Delivery of a correct solver. */
export const delivers = (amount: bigint): bigint =>
  amount - (amount * FEE_BPS) / 10_000n - FLAT_FEE;

const OUTPUTS = {
  nothing: () => 0n,
  more: (amount: bigint) => (amount * 102n) / 100n,
  huge: () => 10n ** 70n,
  expensive: (amount: bigint) => amount - amount / 7n,
};

const { usdc } = developmentAddresses;
/** Both directions between alphanet and betanet, and from betanet to deltanet. */
const ways = [
  [31337, 31338],
  [31338, 31337],
  [31338, 31339],
].map(([origin_chain_id, destination_chain_id]) => ({
  origin_chain_id,
  destination_chain_id,
  input_token: usdc,
  output_token: usdc,
}));

const json = (body: unknown, status = 200): CannedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const refusal = (limits: object) =>
  json({ error: { code: 'refused', message: 'not now', ...limits } }, 422);

async function quote(conduct: SolverBehaviour, amount: bigint): Promise<CannedResponse> {
  const of = (output: bigint, fill_seconds = FILL_SECONDS, limits = SOLVER_LIMITS) =>
    json({ output_amount: output.toString(), fill_seconds, limits });
  switch (conduct) {
    case 'honest':
      return of(delivers(amount));
    case 'silent':
      return new Promise(() => undefined);
    case 'down':
      return { status: 503 };
    case 'html':
      return { headers: { 'content-type': 'text/html' }, body: '<h1>Welcome to nginx!</h1>' };
    case 'other-shape':
      return json({ output_amount: Number(delivers(amount)), fill_seconds: '7' });
    case 'forever':
      return of(delivers(amount), 10 ** 9);
    case 'late':
      // The escrow's deadline on development chains is 120 s.
      return of(delivers(amount), 110);
    case 'refuses':
      return refusal({});
    case 'picky':
      return amount < BigInt(PICKY_LIMITS.min) || amount > BigInt(PICKY_LIMITS.max)
        ? refusal({ limits: PICKY_LIMITS })
        : of(delivers(amount), FILL_SECONDS, PICKY_LIMITS);
    default:
      return of(OUTPUTS[conduct](amount));
  }
}

export async function startStubSolver(): Promise<StubSolver> {
  const asked: bigint[] = [];
  const server = await startCapturingServer(({ path, body }: CapturedRequest) => {
    if (path === '/v1/routes') return json({ routes: ways });
    const { amount } = JSON.parse(body.toString('utf8')) as { amount: string };
    asked.push(BigInt(amount));
    return quote(solver.behaviour, BigInt(amount));
  });
  const solver: StubSolver = { url: server.url, behaviour: 'honest', asked, stop: server.stop };
  return solver;
}
