import { useEffect, useState } from "react";
import { get, type Schemas } from "../api";
import { keep, recall } from "../kept";

export type Location = Schemas["LocationOut"];
export type Locations = { state: "loading" | "failed"; all: [] } | { state: "ready"; all: Location[] };

const KEY = `locations-${document.documentElement.lang}`; // their names are in the language of the page

/** Every country the shop delivers to, asked for when first wanted and then kept (kept.ts); `retry` asks again. */
export function useLocations(wanted: boolean): Locations & { retry: () => void } {
  const [locations, setLocations] = useState<Locations>({ state: "loading", all: [] });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (!wanted) return;
    const kept = recall<Location[]>(KEY);
    if (kept) setLocations({ state: "ready", all: kept.data });
    if (kept && !kept.isStale) return;
    let stopped = false;
    get("/api/geo-locations/location-data/").then(
      (all) => {
        keep(KEY, all);
        if (!stopped) setLocations({ state: "ready", all });
      },
      () => !stopped && !kept && setLocations({ state: "failed", all: [] }),
    );
    return () => {
      stopped = true;
    };
  }, [wanted, attempt]);

  return {
    ...locations,
    retry: () => {
      setLocations({ state: "loading", all: [] });
      setAttempt((count) => count + 1);
    },
  };
}
