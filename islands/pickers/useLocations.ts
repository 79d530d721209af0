import { useEffect, useState } from "react";
import { get, type Schemas } from "../api";

export type Location = Schemas["LocationOut"];
export type Locations = { state: "loading" | "failed"; all: [] } | { state: "ready"; all: Location[] };

/** Every country the shop delivers to, asked for when first wanted; `retry` asks again. */
export function useLocations(wanted: boolean): Locations & { retry: () => void } {
  const [locations, setLocations] = useState<Locations>({ state: "loading", all: [] });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (!wanted) return;
    let stopped = false;
    get("/api/geo-locations/location-data/").then(
      (all) => !stopped && setLocations({ state: "ready", all }),
      () => !stopped && setLocations({ state: "failed", all: [] }),
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
