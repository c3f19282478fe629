/** Configuration values that the solver's classes inject. */
export interface SolverSettings {
  readonly apiKey: string;
  /** Least time left of an order's fill window when its fill is sent. */
  readonly fillMarginSeconds: number;
  /** Most that a fill or a claim costs by name of its chain, in wei, where the asset has no value of the coin. */
  readonly maxCosts: ReadonlyMap<string, bigint>;
  readonly attesterUrls: readonly string[];
  /** `PUT /v1/control` is enabled. */
  readonly control: boolean;
  /** A simulated crash kills the process. */
  readonly exits: boolean;
}

export const SOLVER_SETTINGS = Symbol('SOLVER_SETTINGS');
