// The steps, carried out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "identity/step.hpp"

namespace arbiter::identity {

// Where a text stands, so that a refusal can name it.
struct Place {
    std::string_view part;
    std::size_t element = 0; // from 1, as SQL counts; 0 where the part is a single text
};

// `part "serial_numbers", element 3`
std::string to_string(const Place &place);

// Room for the texts that a step rewrote. Steps never lengthen a text, so room for all inputs
// suffices and the views handed out stay good until the next begin().
class Scratch {
public:
    void begin(std::size_t input_size);
    char *copy(std::string_view text);

private:
    std::string room_;
};

// The text after its steps; nothing where drop_empty dropped it. The view points into `text` or
// `scratch`. Throws RB042 naming place and code point.
std::optional<std::string_view> normalize_text(const std::vector<Step> &steps,
                                               std::string_view text, const Place &place,
                                               Scratch &scratch);

void normalize_list(const std::vector<SetStep> &set, std::vector<std::string_view> &texts);

} // namespace arbiter::identity
