import type { StackService } from '@bascule/composition';

/** Operations of a stack that chaos uses. */
export interface ChaosStack {
  /** The superuser's URL of its Postgres. */
  readonly adminUrl: string;
  /** Every replica as it is now. */
  services(): StackService[];
  /** Whether the process of this replica is ready, asked past the balancer. */
  isReady(service: string, replica: number): Promise<boolean>;
  operator(...args: string[]): string;
}
