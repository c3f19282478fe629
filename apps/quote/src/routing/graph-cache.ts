import { edgeAccess, restrictEdges, type EdgeRule, type Requester } from '../routes/edge-rules.js';
import { RoutingGraph, type RoutingInput } from '../routes/routing-graph.js';
import { scopedEdges, type ScopedParties } from '../routes/scoped-edges.js';

export interface CachedGraph {
  graph: RoutingGraph;
  /** Changes with the input of the graph. */
  revision: number;
  /** Equal for requesters with access to the same edges. */
  accessKey: string;
}

/** Maximum number of cached graphs; one per access. All are dropped at the limit. */
export const MAX_GRAPHS = 64;

/** Cache of routing graphs per access to edges, dropped when their input changes. */
export class GraphCache {
  private parts: readonly unknown[] = [];
  private revision = 0;
  private input: RoutingInput | undefined;
  private readonly byAccess = new Map<string, RoutingGraph>();

  constructor(
    private readonly rules: readonly EdgeRule[],
    private readonly parties: ScopedParties,
    private readonly onBuilt: () => void,
  ) {}

  /** @param parts objects that `input` is built from; compared by identity to detect changes */
  get(requester: Requester, parts: readonly unknown[], input: () => RoutingInput): CachedGraph {
    const isSame =
      parts.length === this.parts.length && parts.every((part, i) => part === this.parts[i]);
    if (!this.input || !isSame) {
      this.byAccess.clear();
      this.parts = parts;
      this.input = input();
      this.revision += 1;
    }
    const access = edgeAccess(this.rules, requester);
    const accessKey = [access.rules, access.methods, access.scope].join(';');
    let graph = this.byAccess.get(accessKey);
    if (!graph) {
      if (this.byAccess.size >= MAX_GRAPHS) this.byAccess.clear();
      const edges = restrictEdges(access, this.rules, this.input);
      const { scope } = access;
      graph = new RoutingGraph(scope === 'all' ? edges : scopedEdges(this.parties, scope, edges));
      this.byAccess.set(accessKey, graph);
      this.onBuilt();
    }
    return { graph, revision: this.revision, accessKey };
  }
}
