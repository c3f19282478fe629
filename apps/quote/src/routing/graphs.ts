import { accessOf, restrictedTo, type EdgeRule, type Traveller } from '../routes/edge-rules.js';
import { RoutingGraph, type RoutingInput } from '../routes/routing-graph.js';

export interface BuiltGraph {
  graph: RoutingGraph;
  /** Changes with what the graph is made of. */
  revision: number;
  /** The same for travellers who may use the same edges. */
  access: string;
}

/** Kinds of travellers are as many as organisations with edges of their own; a graph can be made again. */
export const MAX_GRAPHS = 64;

/** The graph of each kind of traveller, made once from the same parts. */
export class Graphs {
  private parts: readonly unknown[] = [];
  private revision = 0;
  private input: RoutingInput | undefined;
  private readonly byAccess = new Map<string, RoutingGraph>();

  constructor(
    private readonly rules: readonly EdgeRule[],
    private readonly onBuilt: () => void,
  ) {}

  /** @param parts all that `input` is made of: as long as they are the same ones, so are the graphs */
  of(traveller: Traveller, parts: readonly unknown[], input: () => RoutingInput): BuiltGraph {
    const isSame =
      parts.length === this.parts.length && parts.every((part, i) => part === this.parts[i]);
    if (!this.input || !isSame) {
      this.byAccess.clear();
      this.parts = parts;
      this.input = input();
      this.revision += 1;
    }
    const access = accessOf(this.rules, traveller);
    const key = access.join();
    let graph = this.byAccess.get(key);
    if (!graph) {
      if (this.byAccess.size >= MAX_GRAPHS) this.byAccess.clear();
      graph = new RoutingGraph(restrictedTo(access, this.rules, this.input));
      this.byAccess.set(key, graph);
      this.onBuilt();
    }
    return { graph, revision: this.revision, access: key };
  }
}
