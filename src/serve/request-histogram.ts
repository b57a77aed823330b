import {
  Histogram,
  type LabelValues,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from "prom-client";
import { durationBounds, type RequestFigures } from "./request-counters.ts";

type Label = "endpoint" | "status";

const name = "http_request_duration_seconds";
const help = "Requests by endpoint and status: how many, and how long they took.";

/** A histogram whose figures are kept elsewhere and read when they are asked for. */
export class RequestHistogram extends Histogram<Label> {
  readonly #read: () => readonly RequestFigures[];

  constructor(registry: Registry, read: () => readonly RequestFigures[]) {
    const labelNames: Label[] = ["endpoint", "status"];
    super({ name, help, labelNames, buckets: [...durationBounds], registers: [registry] });
    this.#read = read;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    const values = this.#read().flatMap(histogramValues);
    // The package's types say that kinds of metrics are numbers; they are these texts.
    return { name, help, type: "histogram", aggregator: "sum", values } as unknown as Awaited<ReturnType<this["get"]>>;
  }

  /** What the registry asks for when it writes text. */
  getForPromString(): ReturnType<RequestHistogram["get"]> {
    return this.get();
  }
}

/** One series as Prometheus wants it: for each bound, all requests up to it. */
function histogramValues({
  endpoint,
  status,
  requests,
  seconds,
  classes,
}: RequestFigures): MetricValueWithName<Label>[] {
  const labels: LabelValues<Label> = { endpoint, status };
  let sum = 0;
  const buckets = classes.map((count, place) => {
    sum += count;
    const le = durationBounds[place] ?? "+Inf";
    return { metricName: `${name}_bucket`, labels: { le, ...labels } as LabelValues<Label>, value: sum };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: requests },
  ];
}
