// Rewrites the tokens of one .cu file: see translate.h. Each concern below has a file of its own.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/translate/navigation.h"

namespace translate {

class Translator : Walk {
  public:
    // `name` is the file's path as messages show it, where the tokens name no file. `whole` says
    // that a preprocessor has expanded macros and headers.
    Translator(std::vector<Token> tokens, const std::string& name, bool whole = false);
    std::string run();
    static std::string escaped(const std::string& path);
    class BothSides;

  private:
    bool isReference(std::size_t i) const;
    bool isUnevaluated(std::size_t i) const;
    bool startsDeclaration(std::size_t i) const;

    // Errors.
    std::string fileOf(std::size_t i) const;  // as text between quotes
    [[noreturn]] void refuse(std::size_t i, const std::string& cause,
                             const std::string& remedy) const;
    [[noreturn]] void refuseLine(int line, const std::string& cause,
                                 const std::string& remedy) const;
    [[noreturn]] void refuseAssembly(int line) const;

    void refuseLibrary(std::size_t directive) const;
    void macro(std::size_t directive);
    int opensCondition(std::size_t directive) const;
    bool includesOwnHeader(std::size_t directive) const;
    bool opensNamespace(std::size_t brace) const;

    // Follows the braces and #if around the tokens of a walk.
    class Scope {
      public:
        explicit Scope(const Translator& translator) : translator_(translator) {}
        void pass(std::size_t i);
        bool outside() const { return depth_ == 0; }           // of functions and types
        bool inNamespace() const { return namespaces_ > 0; }   // or in extern "C"
        bool inCondition() const { return conditions_ != 0; }  // of an #if
        bool certainlyOutside() const { return outside() && !inCondition(); }

      private:
        const Translator& translator_;
        int depth_ = 0, namespaces_ = 0, conditions_ = 0;
        std::vector<bool> isNamespace_;
    };

    bool cudaWord(std::size_t i, std::size_t body, const Scope& scope);
    bool hostWord(std::size_t i, std::size_t body, const Scope& scope);

    // Host and device.
    int sidesOf(std::size_t name) const;
    bool isUseInside(std::size_t name) const;
    std::map<std::string_view, int> sidesOfFunctions() const;
    struct HostNames {
        // The host's functions that each macro calls, by the macro's name.
        std::map<std::string_view, std::vector<std::string_view>> macros;
        std::set<std::string_view> own;  // names that mean, or may mean, something else here
    };
    void refuseCallsAcross() const;
    void refuseCallsAcross(std::size_t open, int caller,
                           const std::map<std::string_view, int>& sides,
                           const HostNames& host) const;

    // Names of the host's functions, macros and classes.
    bool isCallByName(std::size_t name) const;
    std::map<std::string_view, std::vector<std::string_view>> macrosOfHost() const;
    std::set<std::string_view> ownNames() const;
    HostNames hostNames() const { return {macrosOfHost(), ownNames()}; }
    std::vector<std::string_view> hostCallsAt(std::size_t name, const HostNames& host) const;
    std::string hostClassAt(std::size_t name) const;
    void refuseHostCalls(std::size_t open, const HostNames& host) const;
    bool needsTheHost(std::string_view function, const HostNames& host) const;

    // Bodies of functions for the device.
    struct Body {
        bool forDevice = false, forHost = false, isKernel = false, isTemplate = false;
    };
    std::size_t endOfHead(std::size_t brace) const;
    Body bodyAt(std::size_t brace) const;
    std::size_t endOfDeclaration(std::size_t i) const;
    void deviceBody(std::size_t brace);
    bool declaresArray(std::size_t open, std::size_t close) const;
    void refuseVariablesOfThreads(std::size_t open, std::size_t close) const;
    void refuseFunctionsOfHost(std::size_t open, std::size_t close) const;

    // What only a text with all macros and headers tells.
    bool isDeviceCode(std::size_t i, std::size_t body) const;
    void refuseTextureReference(std::size_t word) const;
    void assembly(std::size_t word, std::size_t body);
    std::string alignmentOfSixteenBytes() const;

    // Launches.
    void joinBrackets();
    std::string parameterTypes(std::size_t open) const;
    void findDeducedKernels();
    void refuseResult(std::size_t global, std::size_t name) const;
    void tellParameters(std::size_t global, std::size_t open);
    std::string readParameters(const std::string& kernel, std::size_t open);
    std::string textOf(std::size_t first, std::size_t end) const;
    std::string shortText(std::size_t first, std::size_t end) const;
    bool mayRepeat(std::size_t open) const;
    std::size_t angleOfTemplate(std::size_t global) const;
    std::string missingArguments(const std::string& kernel, std::size_t open) const;
    bool declaresPlainly(std::size_t name, bool outside) const;
    bool isUse(std::size_t name) const;
    int plainDeclaration(std::string_view kernel) const;
    void refusePlainFunction(std::size_t open) const;
    int templateParameters(std::size_t global) const;
    std::size_t startOfKernel(std::size_t launch) const;
    bool isName(std::size_t i) const;
    bool isControl(std::size_t i) const;
    bool isUnusedExchange(std::size_t name) const;
    bool isDeduced(std::size_t start, std::size_t open) const;
    void launch(std::size_t open);
    void launchInMacro(std::size_t directive, int line);
    std::size_t passedVariable(std::size_t first, std::size_t end) const;
    bool mayMeanAnother(std::string_view name, std::size_t body) const;
    bool isOnlyMeasured(std::size_t i) const;
    std::size_t openingAround(std::size_t i) const;
    bool isSymbolOfCall(std::size_t name) const;
    bool startsHostsValue(std::size_t name) const;
    bool nameOnHost(std::size_t name, std::size_t body, bool outside);
    void refusePassedVariables(std::size_t open, std::size_t body) const;
    bool isCall(std::size_t name) const;
    bool isOnlyAKernel(std::string_view kernel) const;
    bool isCallOfKernel(std::size_t name) const;
    bool castOfKernel(std::size_t first);

    // Variables.
    struct Declared {
        std::size_t first, end;  // the first token, and the ;
        bool isExtern;
        std::optional<std::size_t> brackets;
    };
    Declared declaredFrom(std::size_t shared) const;
    void sharedDeclaration(std::size_t shared, bool outside);
    std::string takeType(std::size_t first, std::size_t nameAt);
    void dynamicArray(std::size_t shared, const Declared& found, bool outside);
    std::string sameStartAs(std::size_t shared, const std::string& name,
                            const std::string& type) const;
    void tellBounds(std::size_t brace);
    void fitMacro(std::size_t first, std::size_t end);
    void tellShapes(std::size_t shared, std::size_t end);
    void findNames();
    void tellCast(std::size_t first, std::size_t body);
    void keepAllocatedType(std::size_t function);
    std::size_t pastPointerType(std::size_t open) const;
    std::size_t endOfOperand(std::size_t i) const;
    std::size_t endOfCast(std::size_t open) const;
    std::size_t endOfNamedCast(std::size_t word) const;
    bool opensType(std::size_t brace) const;
    bool isTypeKey(std::size_t i) const;
    std::size_t startOfAlignment(std::size_t i) const;
    bool isAlignment(std::size_t i) const;
    bool startsWithNumber(std::size_t i) const;
    std::size_t endOfPointer(std::size_t open, std::size_t& name) const;
    std::size_t endOfSkipped(std::size_t i, int angles) const;
    void variable(std::size_t qualifier, bool certain);
    void registerTemplates(const std::vector<std::size_t>& names, std::size_t end,
                           const std::string& kind, bool special);
    void registerVariables(const std::vector<std::size_t>& names, std::size_t end,
                           const std::string& kind, bool certain);
    std::size_t localVariable(std::size_t qualifier) const;
    void refuseLocalVariable(std::size_t qualifier) const;

    std::string name_;
    bool whole_, linksAsC_ = false;
    std::vector<std::string> out_;  // the new text of each token
    std::set<std::string_view> types_;
    bool declaresExchange_ = false;
    std::set<std::string> kernels_, overloaded_;
    std::set<std::string_view> fromElsewhere_;  // names of using-declarations
    std::set<std::size_t> kernelNames_;         // where they are declared
    std::set<std::string_view> macroWords_;     // in a macro, all words of its head; else empty
    // The variables outside of namespaces and #if, and where each is declared.
    std::map<std::string_view, std::size_t> deviceVariables_;
    std::string constantBytes_;  // sum of the sizes of the constant variables so far, as C++ text
    std::map<std::string, int> templates_;  // number of template parameters, by kernel
    // The default argument of each parameter of a kernel; empty for one without.
    std::map<std::string, std::vector<std::string>> defaults_;
};

}  // namespace translate
