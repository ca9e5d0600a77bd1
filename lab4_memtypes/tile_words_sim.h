// Finds the floats of the shared array that a launch has used, to see whether it holds two whole
// tiles.
#pragma once

#include <algorithm>
#include <optional>

#include "lab4_memtypes/tile_launch_sim.h"

// Takes a launch whose elements were counted.
class TileWords {
  public:
    TileWords(const cusim::LaunchReport& launch, int tileWidth)
        : ofTile_(static_cast<std::size_t>(tileWidth) * static_cast<std::size_t>(tileWidth)) {
        for (const cusim::ArrayReport& array : launch.arrays) {
            if (array.space != cusim::Space::Shared) continue;
            stores_.insert(stores_.end(), array.elementStores.begin(), array.elementStores.end());
            loads_.insert(loads_.end(), array.elementLoads.begin(), array.elementLoads.end());
            count_ += array.count;
        }
    }

    std::size_t ofTile() const { return ofTile_; }
    std::size_t stored() const {
        return stores_.size() -
               static_cast<std::size_t>(std::count(stores_.begin(), stores_.end(), 0U));
    }
    bool read() const { return count_.loads > 0; }

    // Returns the first float that is stored and never read; nothing if none is.
    std::optional<std::size_t> neverRead() const {
        for (std::size_t i = 0; i < std::min(loads_.size(), stores_.size()); ++i)
            if (stores_[i] > 0 && loads_[i] == 0) return i;
        return std::nullopt;
    }

    // Returns whether as many floats as two tiles hold were stored, but to fewer, adjacent places.
    bool overlap() const {
        const std::size_t places = stored();
        const auto isStored = [](std::uint32_t times) { return times > 0; };
        const auto first = std::find_if(stores_.begin(), stores_.end(), isStored);
        const auto end = std::find_if_not(first, stores_.end(), isStored);
        return count_.storedBytes >= 2 * ofTile_ * sizeof(float) && places >= ofTile_ &&
               places < 2 * ofTile_ && static_cast<std::size_t>(end - first) == places;
    }

    // Counts the floats of the two tiles that are not stored, though products may read them. If
    // the kernel reads only what it stored, no others are needed.
    std::size_t missing() const {
        if (!read()) return stored() < 2 * ofTile_ ? 2 * ofTile_ - stored() : 0;
        std::size_t unset = 0;
        for (std::size_t i = 0; i < std::min(loads_.size(), stores_.size()); ++i)
            unset += loads_[i] > 0 && stores_[i] == 0;
        return unset;
    }

  private:
    std::size_t ofTile_;
    std::vector<std::uint32_t> stores_, loads_;
    cusim::AccessCount count_;
};
