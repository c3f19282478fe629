import type { SolverConfig } from '../solver.config.js';
import { routesOf } from './route.js';
import type { Route } from './route.js';

/** Injection token of all that this solver carries. */
export const ROUTES = Symbol('ROUTES');

export const configuredRoutes = ({ assets, chains, feeBps }: SolverConfig): Route[] =>
  routesOf(
    assets,
    chains.chains.map(({ definition }) => definition),
    feeBps,
  );
